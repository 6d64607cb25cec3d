/** The HTTP request of an operation: its input in path, query and body, and the headers that authenticate the caller. */
import { addressOf } from './address.ts';
import type { NodeCard } from './card.ts';
import { type ClientCredential, headersOf } from './credential.ts';
import { CountersignError } from './error.ts';
import type { Row } from './operations.ts';
import { randomId } from './randomId.ts';
import { type Abortable, type OutgoingRequest, type TransportOptions, unlessAborted } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** The node's address, such as http://localhost:8402. */
  readonly baseUrl: string;
  readonly credential: ClientCredential;
}

export interface CallOptions extends Abortable {
  /** In place of a generated key: the same key with the same input gets the same answer for 24 hours. */
  readonly idempotencyKey?: string;
}

export type Input = Readonly<Record<string, unknown>>;

/**
 * Prepares the requests of one client.
 * @throws CountersignError BAD_REQUEST for a text that is no address, and later for an input without what its path names
 */
export function requestMaker(options: ClientOptions): (row: Row, input: Input, call?: CallOptions) => OutgoingRequest {
  const address = addressOf(options.baseUrl);
  let card: Promise<NodeCard> | undefined;
  // Calls that are made at once share one card, so that the end of one is not the end of the others; no failure is kept.
  const publicUrl = async (signal: AbortSignal | undefined) => {
    card ??= cardAt(address, options).catch((error: unknown) => {
      card = undefined;
      throw error;
    });
    return (await unlessAborted(card, signal)).url;
  };
  return (row, input, call = {}) => {
    const { path, query, body } = placed(row, input);
    const key = keyOf(row, input, call);
    const { signal } = call;
    return {
      make: async () => ({
        url: address + path + query,
        method: row.method,
        headers: {
          ...(await headersOf(options.credential, { method: row.method, path, body }, () => publicUrl(signal))),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        },
        body,
      }),
      repeatable: row.method !== 'POST' || row.idempotent === true,
      waitSeconds: typeof input['wait'] === 'number' ? input['wait'] : 0,
      signal,
    };
  };
}

/** Only agents need it: a program with a key or a login does not load what reads cards. */
async function cardAt(address: string, options: TransportOptions): Promise<NodeCard> {
  const { fetchCard } = await import('./card.ts');
  return fetchCard(address, options);
}

/** Puts each member of the input into the path, the query or the body. */
function placed(row: Row, input: Input): { path: string; query: string; body: string | undefined } {
  const path = row.path.replace(/:(\w+)/g, (_match, name: string) => segmentOf(row, name, input[name]));
  const rest = Object.entries(input).filter(
    ([name, value]) => value !== undefined && row.inPath?.includes(name) !== true,
  );
  if (rest.length === 0) return { path, query: '', body: undefined };
  if (row.method === 'POST' || row.method === 'PUT') {
    return { path, query: '', body: JSON.stringify(Object.fromEntries(rest)) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of rest) for (const one of [value].flat()) query.append(name, String(one));
  return { path, query: `?${query}`, body: undefined };
}

/** A member as a part of the path. Nothing, or dots, in its place would name another address (RFC 3986, section 5.2.4). */
function segmentOf(row: Row, name: string, value: unknown): string {
  const text = String(value ?? '');
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  const message = 'must be given, and name something';
  throw new CountersignError('BAD_REQUEST', `"${name}" ${message}: it is a part of the path ${row.path}.`, {
    status: 0,
    details: [{ path: name, message }],
  });
}

function keyOf(row: Row, input: Input, call: CallOptions): string | undefined {
  if (call.idempotencyKey !== undefined) return call.idempotencyKey;
  return row.idempotent === true && input['idempotencyKey'] === undefined ? randomId() : undefined;
}
