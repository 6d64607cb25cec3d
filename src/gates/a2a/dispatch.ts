/** Our own dialect over any transport: one JSON-RPC request or a batch of them in, their answers out. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Taken } from '../../core/taken.ts';
import { chargedFault } from '../shell/chargedFault.ts';
import type { Gate } from '../shell/gate.ts';
import { payForLength } from '../shell/payForLength.ts';
import { recordRequest } from '../shell/recordRequest.ts';
import type { RpcAnswer, RpcError, RpcOutcome } from '../shell/rpcAnswer.ts';
import { parseRpcBody } from '../shell/rpcBody.ts';
import { type RpcCall, refusalOf, rpcServer } from '../shell/rpcServer.ts';
import { toldFault } from '../shell/toldFault.ts';
import type { GatewayRequest } from './gatewayRequest.ts';
import { methods } from './methods.ts';

const MAX_BATCH = 50;

/** Answers one body: a request or a batch of them. */
export type Dispatch = (request: GatewayRequest, body: Buffer) => Promise<RpcAnswer | RpcAnswer[]>;

/** One JSON-RPC request of a body. */
interface Item {
  readonly request: GatewayRequest;
  /** The name of its method, once that is known. */
  route: string;
  /** What the core made of it, once it has. */
  taken?: Taken;
}

export function dispatcher(gate: Gate): Dispatch {
  const server = rpcServer<Item>({
    methods: Object.fromEntries(Object.keys(methods).map((name) => [name, (call, item) => run(gate, call, item)])),
    order: ['id', 'jsonrpc', 'method'],
    check: requireParams,
    async tell(error, { request, taken }) {
      return errorOf(gate, taken === undefined ? await chargedFault(request.meter.chargeAddress, error) : error);
    },
  });

  async function one(request: GatewayRequest, candidate: unknown): Promise<RpcAnswer> {
    const startedAt = performance.now();
    const item: Item = { request, route: 'none' };
    const answer = await server.answer(candidate, item);
    const { requestId } = request;
    const status = answer.error?.code ?? 'ok';
    recordRequest(gate, { gate: 'a2a', requestId, route: item.route, status, startedAt, caller: item.taken?.caller });
    return answer;
  }

  return async (request, body) => {
    let parsed: unknown;
    try {
      await payForLength(request, body.length);
      parsed = parseRpcBody(body);
      if (Array.isArray(parsed)) requireBatch(parsed);
    } catch (error) {
      return failed(gate, await chargedFault(request.meter.chargeAddress, error));
    }
    return Array.isArray(parsed) ? Promise.all(parsed.map((each) => one(request, each))) : one(request, parsed);
  };
}

function run(gate: Gate, { method, params }: RpcCall, item: Item): Promise<RpcOutcome> {
  const { request } = item;
  item.route = method;
  const settle = (taken: Taken) => {
    item.taken = taken;
    return request.meter.settle(taken);
  };
  return (methods[method] as (typeof methods)[string]).run({ gate, request, params, settle });
}

function requireParams(params: unknown): void {
  if (params === undefined || (typeof params === 'object' && params !== null)) return;
  throw new Fault('INVALID_REQUEST', '"params" must be an object.');
}

function requireBatch({ length }: readonly unknown[]): void {
  if (length === 0 || length > MAX_BATCH) {
    throw new Fault('INVALID_REQUEST', `A batch carries 1 to ${MAX_BATCH} requests.`);
  }
}

/** The answer to a body, or to an HTTP request, that holds no request to answer. */
export function failed(gate: Gate, error: unknown): RpcAnswer {
  return refusalOf(null, errorOf(gate, error));
}

/** How an error is told; one that is no Fault carries no data. */
function errorOf(gate: Gate, error: unknown): RpcError {
  const fault = toldFault(gate.log, error, { gate: 'a2a' });
  const { code, details, message, mapping } = fault;
  const told = { code: mapping.jsonrpc, message };
  if (fault !== error) return told;
  return { ...told, data: details === undefined ? { code } : { code, details } };
}
