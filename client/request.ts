/** The HTTP request of an operation: its input in path, query and body, and the headers that authenticate the caller. */
import type { AgentCard } from '../protocol/wire/agentCard.ts';
import { fetchCard } from './card.ts';
import { type Credential, headersOf } from './credential.ts';
import { randomId } from './identity.ts';
import type { Row } from './operations.ts';
import type { HttpRequest, TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** The node's address, such as http://localhost:8402. */
  readonly baseUrl: string;
  readonly credential: Credential;
}

export interface CallOptions {
  /** In place of a generated key: the same key with the same input gets the same answer for 24 hours. */
  readonly idempotencyKey?: string;
}

export type Input = Readonly<Record<string, unknown>>;

interface Prepared {
  /** Makes the request anew for each attempt, since some credentials are valid once. */
  readonly make: () => Promise<HttpRequest>;
  /** Whether the request may have been carried out before and still be sent again. */
  readonly repeatable: boolean;
}

/** Prepares the requests of one client. */
export function requestMaker(options: ClientOptions): (row: Row, input: Input, call?: CallOptions) => Prepared {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  let card: Promise<AgentCard> | undefined;
  const publicUrl = async () => {
    card ??= fetchCard(baseUrl, options);
    return (await card).url;
  };
  return (row, input, call = {}) => {
    const { path, query, body } = placed(row, input);
    const key = keyOf(row, input, call);
    return {
      make: async () => ({
        url: baseUrl + path + query,
        method: row.method,
        headers: {
          ...(await headersOf(options.credential, { method: row.method, path, body }, publicUrl)),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        },
        body,
      }),
      repeatable: row.method !== 'POST' || row.idempotent === true,
    };
  };
}

/** Puts each member of the input into the path, the query or the body. */
function placed(row: Row, input: Input): { path: string; query: string; body: string | undefined } {
  const path = row.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(input[name])));
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

function keyOf(row: Row, input: Input, call: CallOptions): string | undefined {
  if (call.idempotencyKey !== undefined) return call.idempotencyKey;
  return row.idempotent === true && input['idempotencyKey'] === undefined ? randomId() : undefined;
}
