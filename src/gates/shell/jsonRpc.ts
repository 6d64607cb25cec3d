/**
 * JSON-RPC 2.0 as both dialects of A2A speak it: its bodies, its requests and its answers as text. The framing is json-rpc-2.0's; what a
 * request must look like, and what a caller is told of an error, are this node's: the library would answer with the text of what a
 * method throws.
 */
import {
  createJSONRPCErrorResponse,
  createJSONRPCSuccessResponse,
  type JSONRPCErrorResponse,
  JSONRPCServer,
} from 'json-rpc-2.0';
import { Fault } from '../../../protocol/wire/fault.ts';
import { decodeUtf8, JsonSyntaxFault, parseJson } from '../../../protocol/wire/json.ts';

export interface RpcCall {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** @param item what the gate keeps for the request */
interface RpcDialect<Item> {
  /** By name, each with what it answers. */
  readonly methods: Readonly<Record<string, (call: RpcCall, item: Item) => Promise<RpcOutcome>>>;
  /** The members of a request in the order in which they are looked at: the first that is wrong is told. */
  readonly order: readonly (keyof typeof MEMBERS)[];
  /** Looks at the parameters, before the method is looked for. @throws Fault, or an error of the dialect's own */
  check(params: unknown, item: Item): void;
  /** What a caller is told of an error; it charges, where there is still something to charge. */
  tell(error: unknown, item: Item): Promise<RpcError>;
}

interface RpcServer<Item> {
  /** Answers one request, of which nothing is known but that it is JSON. */
  answer(request: unknown, item: Item): Promise<RpcAnswer>;
}

const MEMBERS = {
  jsonrpc: { isRight: (jsonrpc: unknown) => jsonrpc === '2.0', must: 'must be "2.0"' },
  // No method runs as a notification (JSON-RPC 2.0 section 4.1): every request about money gets an answer.
  id: { isRight: isId, must: 'must be a string or a number' },
  method: { isRight: (method: unknown) => typeof method === 'string', must: 'must be a string' },
};

export function rpcServer<Item>({ methods, order, check, tell }: RpcDialect<Item>): RpcServer<Item> {
  const server = new JSONRPCServer<Item>({ errorListener: () => {} });
  // What is thrown is thrown on, to be told in the dialect's own words.
  server.mapErrorToJSONRPCErrorResponse = (_id, error) => {
    throw error;
  };
  server.handleMethodNotFound = () => {
    throw new Fault('METHOD_UNKNOWN', `There is no such method; there are ${Object.keys(methods).join(', ')}.`);
  };
  for (const [name, run] of Object.entries(methods)) {
    server.addMethodAdvanced(name, async (request, item) => {
      const call = request as RpcCall;
      const outcome = await run(call, item);
      return 'error' in outcome
        ? refusalOf(call.id, outcome.error)
        : createJSONRPCSuccessResponse(call.id, outcome.result);
    });
  }
  return {
    async answer(request, item) {
      try {
        const { jsonrpc, id, method, params } = membersOf(request);
        for (const name of order) requireMember(name, { jsonrpc, id, method }[name]);
        check(params, item);
        // Without the members that the library would read for an answer's.
        const call = { jsonrpc: '2.0', id: id as RpcCall['id'], method: method as string, params } as const;
        return (await server.receive(call, item)) as RpcAnswer;
      } catch (error) {
        return refusalOf(idOf(request), await tell(error, item));
      }
    },
  };
}

/** The id that an error answers, as far as the request has one. */
export function idOf(request: unknown): string | number | null {
  const { id } = (typeof request === 'object' && request !== null ? request : {}) as { readonly id?: unknown };
  return isId(id) ? id : null;
}

export function refusalOf(id: string | number | null, { code, message, data }: RpcError): JSONRPCErrorResponse {
  return createJSONRPCErrorResponse(id, code, message, data);
}

/** @throws Fault INVALID_REQUEST for what is no object */
function membersOf(request: unknown): Readonly<Record<string, unknown>> {
  if (typeof request === 'object' && request !== null && !Array.isArray(request))
    return request as Record<string, unknown>;
  throw new Fault('INVALID_REQUEST', 'A request is a JSON object.');
}

function requireMember(name: keyof typeof MEMBERS, value: unknown): void {
  const { isRight, must } = MEMBERS[name];
  if (!isRight(value)) throw new Fault('INVALID_REQUEST', `"${name}" ${must}.`);
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}

/** A result as it was stored and is sent. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The value, for a reader that wants it. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer without its id, which belongs to the request it answers. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError };

export interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: RpcError;
}

/** The text of an answer, or of the answers to a batch. */
export function answerText(answer: RpcAnswer | readonly RpcAnswer[]): string {
  if (Array.isArray(answer)) return `[${answer.map(answerText).join(',')}]`;
  const { id, result } = answer as RpcAnswer;
  if (!(result instanceof JsonText)) return JSON.stringify(answer);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.text}}`;
}

/** @returns any JSON @throws Fault SYNTAX for what is no JSON, INVALID_REQUEST beyond a limit, such as that of its depth */
export function parseRpcBody(body: Buffer): unknown {
  try {
    return parseJson(decodeUtf8(body));
  } catch (error) {
    if (error instanceof JsonSyntaxFault) throw new Fault('SYNTAX', error.message);
    if (error instanceof Fault && error.code === 'BAD_REQUEST') throw new Fault('INVALID_REQUEST', error.message);
    throw error;
  }
}
