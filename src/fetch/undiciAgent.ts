/** The connections of a client, by undici: loaded with the first exchange, since many nodes fetch nothing. */
import { Agent } from 'undici';
import { type ConnectorOptions, safeConnector } from './connector.ts';

const IDLE_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

export function makeAgent(options: ConnectorOptions): Agent {
  return new Agent({
    connect: safeConnector(options),
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The exchange has one time limit of its own; these would limit parts of it only.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
