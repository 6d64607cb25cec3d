/** The facade, an operation a method: typed inputs and answers, credentials, keys that make it safe to send again. */
import type { AgentCard } from '../protocol/wire/agentCard.ts';
import { fetchCard } from './card.ts';
import { type Credential, headersOf } from './credential.ts';
import { CountersignError, errorOf } from './error.ts';
import { randomId } from './identity.ts';
import { type Operations, operations, type Row } from './operations.ts';
import { type HttpRequest, send, type TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** The node's address, such as http://localhost:8402. */
  readonly baseUrl: string;
  readonly credential: Credential;
}

export interface CallOptions {
  /** In place of a key made up for the call: the same key with the same input gets the same answer for 24 hours. */
  readonly idempotencyKey?: string;
}

type Anything = Readonly<Record<string, unknown>>;

/** @throws CountersignError when the node does not answer, or answers with an error */
type Method<Operation extends { readonly input: unknown; readonly output: unknown }> =
  Record<never, never> extends Operation['input']
    ? (input?: Operation['input'], options?: CallOptions) => Promise<Operation['output']>
    : (input: Operation['input'], options?: CallOptions) => Promise<Operation['output']>;

export type Client = { readonly [Name in keyof Operations]: Method<Operations[Name]> };

export function countersign(options: ClientOptions): Client {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  let card: Promise<AgentCard> | undefined;
  const publicUrl = async () => {
    card ??= fetchCard(baseUrl, options);
    return (await card).url;
  };

  async function perform(row: Row, input: Anything, call: CallOptions): Promise<unknown> {
    const { path, query, body } = placed(row, input);
    const key = keyOf(row, input, call);
    const make = async (): Promise<HttpRequest> => ({
      url: baseUrl + path + query,
      method: row.method,
      headers: {
        ...(await headersOf(options.credential, { method: row.method, path, body }, publicUrl)),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      body,
    });
    const repeatable = row.method !== 'POST' || row.idempotent === true;
    const { status, headers, text } = await send(options, make, repeatable);
    if (status < 200 || status > 299) throw errorOf(status, headers, text);
    return answerOf(status, headers, text);
  }

  const methods = Object.entries(operations).map(([name, row]) => [
    name,
    (input: Anything = {}, call: CallOptions = {}) => perform(row, input, call),
  ]);
  return Object.fromEntries(methods) as Client;
}

/** Puts each member of the input where it travels. */
function placed(row: Row, input: Anything): { path: string; query: string; body: string | undefined } {
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

function keyOf(row: Row, input: Anything, call: CallOptions): string | undefined {
  if (call.idempotencyKey !== undefined) return call.idempotencyKey;
  return row.idempotent === true && input['idempotencyKey'] === undefined ? randomId() : undefined;
}

function answerOf(status: number, headers: Headers, text: string): unknown {
  if (text === '') return undefined;
  if (headers.get('content-type')?.startsWith('application/json') !== true) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const requestId = headers.get('x-request-id') ?? undefined;
    throw new CountersignError('INVALID_ANSWER', 'The answer is cut short.', { status, requestId, cause });
  }
}
