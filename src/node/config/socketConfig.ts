/** The settings of the gate: the thread it runs in, and what bounds the cost of connections. */
import { z } from 'zod';
import { DEFAULT_GATES } from './defaultGates.ts';

const wholeNumber = (fallback: number, least: number, most: number) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)
    .default(fallback);

/** A small machine survives these with every connection held and every body half sent; see docs/reference/configuration.md. */
export const SocketEnvironment = {
  MAX_SOCKETS: wholeNumber(4096, 8, 1_000_000),
  MAX_SOCKETS_PER_ADDRESS: wholeNumber(1024, 1, 1_000_000),
  MAX_RECEIVING_BYTES: wholeNumber(64 * 1024 * 1024, 1024 * 1024, 64 * 1024 * 1024 * 1024),
  GATES: wholeNumber(DEFAULT_GATES, 0, 1),
};

export interface SocketConfig {
  /** Connections that may be open at a time. */
  readonly maxSockets: number;
  /** Of them, those of one address that is no trusted proxy. */
  readonly maxSocketsPerAddress: number;
  /** Bytes that bodies which are arriving may hold together. */
  readonly maxReceivingBytes: number;
  /** Gates beside the core: 0 for one in its own thread, 1 for one in a thread of its own. */
  readonly gates: number;
}

export function socketsOf(values: {
  readonly MAX_SOCKETS: number;
  readonly MAX_SOCKETS_PER_ADDRESS: number;
  readonly MAX_RECEIVING_BYTES: number;
  readonly GATES: number;
}): SocketConfig {
  return {
    maxSockets: values.MAX_SOCKETS,
    maxSocketsPerAddress: values.MAX_SOCKETS_PER_ADDRESS,
    maxReceivingBytes: values.MAX_RECEIVING_BYTES,
    gates: values.GATES,
  };
}
