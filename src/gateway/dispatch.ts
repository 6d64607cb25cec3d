/** JSON-RPC 2.0 over any transport: one request or a batch of them in, their answers out. */
import { Fault } from '../../protocol/wire/fault.ts';
import { decodeUtf8, JsonSyntaxFault, parseJson } from '../../protocol/wire/json.ts';
import type { Gate } from '../core/gate.ts';
import type { Taken } from '../core/taken.ts';
import type { Way } from '../usecase/steps.ts';
import type { GatewayRequest } from './gatewayRequest.ts';
import { type Arrival, methods } from './methods.ts';
import { payForLength } from './payForLength.ts';
import type { RpcAnswer, RpcOutcome } from './rpcAnswer.ts';

const MAX_BATCH = 50;

/** Answers one body: a request or a batch of them. */
export type Dispatch = (request: GatewayRequest, body: Buffer) => Promise<RpcAnswer | RpcAnswer[]>;

export function dispatcher(gate: Gate): Dispatch {
  async function one(request: GatewayRequest, candidate: unknown): Promise<RpcAnswer> {
    const startedAt = performance.now();
    const item: Item = { request };
    const inspected = inspect(candidate);
    const answer =
      'fault' in inspected
        ? failed(gate, inspected.id, await chargedFault(request, inspected.fault))
        : await answerTo(gate, item, inspected);
    const name = 'fault' in inspected ? 'none' : inspected.name;
    observe(gate, item, name, answer, performance.now() - startedAt);
    return answer;
  }

  return async (request, body) => {
    let parsed: unknown;
    try {
      await payForLength(request, body.length);
      parsed = parseJson(decodeUtf8(body));
    } catch (error) {
      return failed(gate, null, await chargedFault(request, asRpcFault(error)));
    }
    if (!Array.isArray(parsed)) return one(request, parsed);
    if (parsed.length === 0 || parsed.length > MAX_BATCH) {
      const fault = new Fault('INVALID_REQUEST', `A batch carries 1 to ${MAX_BATCH} requests.`);
      return failed(gate, null, await chargedFault(request, fault));
    }
    return Promise.all(parsed.map((candidate) => one(request, candidate)));
  };
}

/** One JSON-RPC request of a body. */
interface Item {
  readonly request: GatewayRequest;
  /** What the core made of it, once it has. */
  taken?: Taken;
}

async function answerTo(gate: Gate, item: Item, { id, method, params }: Inspected): Promise<RpcAnswer> {
  const { request } = item;
  const settle = (taken: Taken) => {
    item.taken = taken;
    return request.settle(taken);
  };
  try {
    const outcome = await method.run({ gate, request, params, settle });
    return { jsonrpc: '2.0', id, ...outcome };
  } catch (error) {
    return failed(gate, id, item.taken === undefined ? await chargedFault(request, error) : error);
  }
}

/** Counts and logs a request once it is answered. */
function observe(gate: Gate, item: Item, method: string, answer: RpcAnswer, ms: number): void {
  const status = answer.error?.code ?? 'ok';
  gate.metrics.request('a2a', method, String(status), ms / 1000);
  gate.log.info('request', {
    requestId: item.request.requestId,
    gate: 'a2a',
    route: method,
    status,
    ms: Math.round(ms * 10) / 10,
    caller: item.taken?.caller?.kind,
    callerId: item.taken?.caller?.id,
  });
}

/** Charges the address for what failed before its caller was known. @returns what the caller is told */
export async function chargedFault(request: GatewayRequest, error: unknown): Promise<unknown> {
  try {
    await request.chargeAddress();
    return error;
  } catch (tooMany) {
    // One that was refused for its length says more.
    return error instanceof Fault && error.code === 'RATE_LIMITED' ? error : tooMany;
  }
}

/** A request that this gateway answers. */
interface Inspected {
  readonly id: string | number;
  readonly name: string;
  readonly method: Way<Arrival, RpcOutcome>;
  readonly params: unknown;
}

/** @returns what is asked; or under which id it is refused, and why */
function inspect(candidate: unknown): Inspected | { readonly id: string | number | null; readonly fault: Fault } {
  const invalid = (message: string) => new Fault('INVALID_REQUEST', message);
  if (typeof candidate !== 'object' || candidate === null || Array.isArray(candidate)) {
    return { id: null, fault: invalid('A request is a JSON object.') };
  }
  const { jsonrpc, id, method: name, params } = candidate as Record<string, unknown>;
  // No method runs as a notification (JSON-RPC 2.0 section 4.1): every request about money gets an answer.
  if (typeof id !== 'string' && typeof id !== 'number') {
    return { id: null, fault: invalid('"id" must be a string or a number.') };
  }
  if (jsonrpc !== '2.0') return { id, fault: invalid('"jsonrpc" must be "2.0".') };
  if (typeof name !== 'string') return { id, fault: invalid('"method" must be a string.') };
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return { id, fault: invalid('"params" must be an object.') };
  }
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) {
    const known = Object.keys(methods).join(', ');
    return { id, fault: new Fault('METHOD_UNKNOWN', `There is no such method; there are ${known}.`) };
  }
  return { id, name, method, params };
}

/** Wrong syntax is a parse error; a body beyond a limit is an invalid request. */
function asRpcFault(error: unknown): unknown {
  if (error instanceof JsonSyntaxFault) return new Fault('SYNTAX', error.message);
  if (error instanceof Fault && error.code === 'BAD_REQUEST') return new Fault('INVALID_REQUEST', error.message);
  return error;
}

/** The error answer for anything thrown. An error that is not a Fault is logged, and the answer does not describe it. */
export function failed(gate: Gate, id: string | number | null, error: unknown): RpcAnswer {
  if (!(error instanceof Fault)) {
    gate.log.error('request.failed', { gate: 'a2a', error: error instanceof Error ? error.stack : String(error) });
    return { jsonrpc: '2.0', id, error: { code: -32603, message: 'Something went wrong here; it has been logged.' } };
  }
  const data = error.details === undefined ? { code: error.code } : { code: error.code, details: error.details };
  return { jsonrpc: '2.0', id, error: { code: error.mapping.jsonrpc, message: error.message, data } };
}
