/** Asks the node for what has no operation in the typed client: the routes of signing in, and those without a credential. */
import { CountersignError, errorOf } from '../../client/error.ts';
import { noAnswer } from '../../client/transport.ts';
import { BASE_URL } from './here.ts';

interface AskOptions {
  readonly body?: object;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/**
 * @param path from the node's address
 * @returns the answer's JSON; undefined where it has none
 * @throws CountersignError as the typed client does
 */
export function ask<Answer>(method: string, path: string, asking: AskOptions = {}): Promise<Answer> {
  const { body, token, signal } = asking;
  const headers = {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const ended = signal === undefined ? {} : { signal };
  const send = () => fetch(BASE_URL + path, { method, cache: 'no-store', headers, ...payload, ...ended });
  return answerOf<Answer>(send, signal);
}

/** The answer to a request that was made by hand. @param send makes it @throws CountersignError as `ask` does */
export async function answerOf<Answer>(send: () => Promise<Response>, signal?: AbortSignal): Promise<Answer> {
  const response = await send().catch((error: unknown) => {
    throw signal?.aborted === true ? error : noAnswer(error);
  });
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
