/** The connections of a client, by undici: loaded with the first exchange, since many nodes fetch nothing. */
import { Agent, type RequestInit, fetch as undiciFetch } from 'undici';
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

/**
 * `fetch` over those connections, for a library that brings its own requests. It follows no redirect: what is signed is signed for
 * one host.
 * @param endOf when a request ends, asked for each of them
 */
export function fetchBy(agent: Agent, endOf: () => AbortSignal): typeof fetch {
  return (input, init) =>
    undiciFetch(String(input), {
      ...(init as RequestInit),
      dispatcher: agent,
      redirect: 'manual',
      signal: endOf(),
    }) as unknown as Promise<Response>;
}
