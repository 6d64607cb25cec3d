/** The REST facade, with a method for each operation: typed inputs and outputs, credentials, idempotency keys. */
import { errorOf, mediaTypeOf, unusable } from './error.ts';
import { type Operations, operations, type Row } from './operations.ts';
import { payExternally } from './paying/payExternally.ts';
import { type CallOptions, type ClientOptions, type Input, requestMaker } from './request.ts';
import { type HttpAnswer, send } from './transport.ts';

/** @throws CountersignError when the node does not answer, or answers with an error; a signal's reason once it is aborted */
type Method<Operation extends { readonly input: unknown; readonly output: unknown }> =
  Record<never, never> extends Operation['input']
    ? (input?: Operation['input'], options?: CallOptions) => Promise<Operation['output']>
    : (input: Operation['input'], options?: CallOptions) => Promise<Operation['output']>;

/** What has no end by itself has a function of its own (followChanges). */
const ENDLESS = 'streamEvents';
type RequestMethod = Exclude<keyof Operations, typeof ENDLESS>;

type Methods = { readonly [Name in RequestMethod]: Method<Operations[Name]> };

export interface Client extends Methods {
  /** Payments that are made elsewhere. */
  readonly external: {
    /** Reserves, pays by `pay`, and tells what came of it (see payExternally). */
    pay(...asked: Tail<Parameters<typeof payExternally>>): ReturnType<typeof payExternally>;
  };
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** @throws CountersignError BAD_REQUEST for a baseUrl that is no address */
export function countersign(options: ClientOptions): Client {
  const requestOf = requestMaker(options);
  const answered = Object.entries<Row>(operations).filter(([name]) => name !== ENDLESS);
  const methods = answered.map(([name, row]) => [
    name,
    async (input: Input = {}, call: CallOptions = {}) => {
      const answer = await send(options, requestOf(row, input, call));
      if (answer.status < 200 || answer.status > 299) throw errorOf(answer);
      return outputOf(row, answer);
    },
  ]);
  const client: Methods = Object.fromEntries(methods);
  return { ...client, external: { pay: (...asked) => payExternally(client, ...asked) } };
}

function outputOf(row: Row, answer: HttpAnswer): unknown {
  if (answer.status === 204) return undefined;
  const type = mediaTypeOf(answer.headers);
  if (row.media?.includes(type) === true) return answer.text;
  if (type !== 'application/json') throw unusable(answer, `The answer is "${type}" and not the node’s JSON.`);
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    throw unusable(answer, 'The answer is cut short.', cause);
  }
}
