/** The REST facade, with a method for each operation: typed inputs and outputs, credentials, idempotency keys. */
import { CountersignError, errorOf } from './error.ts';
import { type Operations, operations } from './operations.ts';
import { type CallOptions, type ClientOptions, type Input, requestMaker } from './request.ts';
import { send } from './transport.ts';

/** @throws CountersignError when the node does not answer, or answers with an error */
type Method<Operation extends { readonly input: unknown; readonly output: unknown }> =
  Record<never, never> extends Operation['input']
    ? (input?: Operation['input'], options?: CallOptions) => Promise<Operation['output']>
    : (input: Operation['input'], options?: CallOptions) => Promise<Operation['output']>;

export type Client = { readonly [Name in keyof Operations]: Method<Operations[Name]> };

export function countersign(options: ClientOptions): Client {
  const requestOf = requestMaker(options);
  const methods = Object.entries(operations).map(([name, row]) => [
    name,
    async (input: Input = {}, call: CallOptions = {}) => {
      const { make, repeatable } = requestOf(row, input, call);
      const { status, headers, text } = await send(options, make, repeatable);
      if (status < 200 || status > 299) throw errorOf(status, headers, text);
      return answerOf(status, headers, text);
    },
  ]);
  return Object.fromEntries(methods) as Client;
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
