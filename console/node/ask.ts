/** Asks the node for what has no operation in the typed client: the routes of signing in, and those without a credential. */
import { CountersignError, errorOf } from '../../client/error.ts';
import { noAnswer } from '../../client/transport.ts';
import { BASE_URL } from './here.ts';

interface Asking {
  readonly body?: object;
  readonly token?: string;
  readonly signal?: AbortSignal;
  /** The request goes on where the page is left meanwhile. */
  readonly keepalive?: boolean;
}

/**
 * @param path from the node's address
 * @returns the answer's JSON; undefined where it has none
 * @throws CountersignError as the typed client does
 */
export async function ask<Answer>(method: string, path: string, asking: Asking = {}): Promise<Answer> {
  return readAnswer<Answer>(await send(method, path, asking));
}

async function send(
  method: string,
  path: string,
  { body, token, signal, keepalive = false }: Asking,
): Promise<Response> {
  const headers = {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const ended = signal === undefined ? {} : { signal };
  try {
    return await fetch(BASE_URL + path, { method, cache: 'no-store', headers, keepalive, ...payload, ...ended });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw noAnswer(error);
  }
}

async function readAnswer<Answer>(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  if (!response.ok) throw errorOf({ status, headers, text });
  if (text === '') return undefined as Answer;
  try {
    return JSON.parse(text) as Answer;
  } catch (cause) {
    throw new CountersignError('INVALID_ANSWER', 'The answer is not the node’s JSON.', { status, cause });
  }
}
