/**
 * Standard A2A over HTTP (JSON-RPC; 1.0, and 0.3 at the same address): one POST, answered by a JSON-RPC answer or by a stream.
 * Exchanges are tasks, and what the policy says of them is their state.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { byJsonNames } from '../../../../protocol/a2a/jsonNames.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { tryParse } from '../../../core/serveRequest.ts';
import type { Gate } from '../../../gates/shell/gate.ts';
import { allowedOrigin, challengeOf, requireJson, sendJson } from '../../../gates/shell/http.ts';
import {
  idOf,
  parseRpcBody,
  type RpcAnswer,
  type RpcCall,
  type RpcError,
  type RpcOutcome,
  refusalOf,
  rpcServer,
} from '../../../gates/shell/jsonRpc.ts';
import { chargedFault, payForLength, recordRequest, toldFault } from '../../../gates/shell/requestRecord.ts';
import { ACTIONS } from './actions.ts';
import { StandardFault, standardError } from './faults.ts';
import { heldStreams } from './heldStreams.ts';
import { type StandardCall, type StandardRequest, standardRequest } from './standardRequest.ts';
import { breakStream, openStream, type Stream, streamTask } from './streamTask.ts';
import { activeExtensions, METHOD_NAMES, methodOf, requireVersion } from './versions.ts';

/** A request and its answer, and what is known of both by now. */
interface Exchange {
  readonly gate: Gate;
  readonly http: IncomingMessage;
  readonly response: ServerResponse;
  readonly request: StandardRequest;
  /** What its body is as JSON, once it may be parsed; undefined for what is none. */
  body?: unknown;
  /** The name of its method, once that is known. */
  route: string;
  /** What follows in place of an answer. */
  stream?: Stream;
  /** What it is told, where it is refused. */
  refusal?: { readonly fault: Fault | StandardFault; readonly http: number; readonly code: number };
}

export function standardGate(gate: Gate): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const streams = heldStreams();
  const server = rpcServer<Exchange>({
    methods: Object.fromEntries(METHOD_NAMES.map((name) => [name, run])),
    order: ['jsonrpc', 'id', 'method'],
    check(params, { http }) {
      requireParams(params);
      requireVersion(http);
    },
    tell,
  });
  return async (http, response) => {
    const startedAt = performance.now();
    const { request, read } = standardRequest(gate, http);
    const exchange: Exchange = { gate, http, response, request, route: 'none' };
    try {
      await readCall(exchange, await read(response));
      const answer = await server.answer(exchange.body, exchange);
      if (exchange.stream === undefined) write(exchange, answer);
      else await follow(exchange, streams.admit(exchange.stream, response));
    } catch (error) {
      const told = await tell(error, exchange);
      // A stream that has begun tells it as its last event.
      if (exchange.stream !== undefined && response.headersSent) breakStream(response, exchange.stream, told);
      else write(exchange, refusalOf(idOf(exchange.body), told));
    }
    const { route, refusal } = exchange;
    const { requestId, meter } = request;
    const status = refusal === undefined ? 'ok' : String(refusal.code);
    recordRequest(gate, { gate: 'a2a', requestId, route, status, startedAt, caller: meter.coreReply?.caller });
  };
}

/** @throws Fault for what cannot be one JSON-RPC request */
async function readCall(exchange: Exchange, body: Buffer): Promise<void> {
  const { http, request } = exchange;
  await payForLength(request, body.length);
  const parsed = tryParse(() => parseRpcBody(body));
  exchange.body = parsed.input?.value;
  if (http.method !== 'POST') throw new Fault('METHOD_NOT_ALLOWED', 'A2A is served by POST.');
  requireJson(http.headers['content-type']);
  if (parsed.fault !== undefined) throw parsed.fault;
  if (Array.isArray(exchange.body)) throw new Fault('INVALID_REQUEST', 'Send one request at a time.');
}

function requireParams(params: unknown): void {
  if (params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params))) return;
  throw new Fault('BAD_REQUEST', '"params" must be an object.', [{ path: 'params', message: 'must be an object' }]);
}

/** Does what a method asks for, in the spelling of its dialect. */
async function run({ id, method, params = {} }: RpcCall, exchange: Exchange): Promise<RpcOutcome> {
  exchange.route = method;
  const { dialect, action } = methodOf(method);
  const members = (dialect === '1.0' ? byJsonNames(params) : params) as StandardCall['params'];
  const answer = await ACTIONS[action](exchange.request, { id, params: members }, dialect);
  if ('result' in answer) return answer;
  exchange.stream = answer.stream;
  return { result: null };
}

/** What fails before the core has charged its caller charges the address. */
async function tell(thrown: unknown, exchange: Exchange): Promise<RpcError> {
  const { gate, request } = exchange;
  const { coreReply, chargeAddress } = request.meter;
  const error = coreReply === undefined ? await chargedFault(chargeAddress, thrown) : thrown;
  const fault = error instanceof StandardFault ? error : toldFault(gate.log, error, { gate: 'a2a' });
  const { http, error: told } = standardError(fault);
  exchange.refusal = { fault, http, code: told.code };
  return told;
}

function write(exchange: Exchange, answer: RpcAnswer): void {
  const { gate, response, refusal } = exchange;
  const headers = headersOf(exchange);
  const status = refusal?.http ?? 200;
  if (status === 401) headers['WWW-Authenticate'] = challengeOf(refusal?.fault as Fault, gate.settings.baseUrl);
  if (status === 405) headers['Allow'] = 'POST';
  sendJson(response, status, JSON.stringify(answer), headers);
}

async function follow(exchange: Exchange, stream: Stream): Promise<void> {
  openStream(exchange.response, headersOf(exchange));
  await streamTask(exchange.gate, exchange.response, stream);
}

function headersOf({ gate, http, request }: Exchange): Record<string, string> {
  return {
    'X-Request-Id': request.requestId,
    ...request.meter.headers(),
    ...activeExtensions(http),
    ...allowedOrigin(gate.settings, http.headers.origin),
  };
}
