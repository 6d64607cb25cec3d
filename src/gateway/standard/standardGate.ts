/**
 * Standard A2A over HTTP (JSON-RPC; 1.0, and 0.3 at the same address): one POST, answered by a JSON-RPC answer or by a stream.
 * Exchanges are tasks, and what the policy says of them is their state.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { byJsonNames } from '../../../protocol/a2a/jsonNames.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Gate } from '../../core/gate.ts';
import { challengeOf } from '../../gates/shell/challenge.ts';
import { chargedFault } from '../../gates/shell/chargedFault.ts';
import { allowedOrigin } from '../../gates/shell/origins.ts';
import { recordRequest } from '../../gates/shell/recordRequest.ts';
import { sendJson } from '../../gates/shell/sendJson.ts';
import { toldFault } from '../../gates/shell/toldFault.ts';
import { payForLength } from '../payForLength.ts';
import { ACTIONS } from './actions.ts';
import { StandardFault, standardError } from './faults.ts';
import { heldStreams } from './heldStreams.ts';
import { idIn, parseCall, type StandardRequest, standardRequest } from './standardRequest.ts';
import { openStream, streamTask } from './streamTask.ts';
import { activeExtensions, METHOD_NAMES, methodOf, requireVersion } from './versions.ts';

/** What is known of a request when it is answered. */
interface Progress {
  /** Once it may be parsed. */
  body?: Buffer;
  method: string;
  status: string;
}

interface Exchange {
  readonly gate: Gate;
  readonly http: IncomingMessage;
  readonly response: ServerResponse;
  readonly request: StandardRequest;
  readonly progress: Progress;
}

export function standardGate(gate: Gate): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const streams = heldStreams();
  return async (http, response) => {
    const startedAt = performance.now();
    const progress: Progress = { method: 'none', status: 'ok' };
    const { request, read } = standardRequest(gate, http);
    const exchange = { gate, http, response, request, progress };
    try {
      await answer(exchange, streams, await read(response));
    } catch (error) {
      await refuse(exchange, error);
    }
    const { requestId, meter } = request;
    const { method: route, status } = progress;
    recordRequest(gate, { gate: 'a2a', requestId, route, status, startedAt, caller: meter.taken?.caller });
  };
}

async function answer(exchange: Exchange, streams: ReturnType<typeof heldStreams>, body: Buffer): Promise<void> {
  const { gate, http, response, request, progress } = exchange;
  await payForLength(request, body.length);
  progress.body = body;
  const call = parseCall(http, body);
  requireVersion(http);
  const method = methodOf(call.method);
  if (method === undefined) {
    throw new Fault('METHOD_UNKNOWN', `There is no such method; there are ${METHOD_NAMES.join(', ')}.`);
  }
  progress.method = call.method;
  const params = method.dialect === '1.0' ? (byJsonNames(call.params) as typeof call.params) : call.params;
  const answered = await ACTIONS[method.action](request, { ...call, params }, method.dialect);
  if ('stream' in answered) {
    const stream = streams.admit(answered.stream, response);
    openStream(response, headersOf(exchange));
    await streamTask(gate, response, stream);
    return;
  }
  const text = JSON.stringify({ jsonrpc: '2.0', id: call.id, result: answered.result });
  sendJson(response, 200, text, headersOf(exchange));
}

/** What fails before the core has charged anybody charges the address. */
async function refuse(exchange: Exchange, thrown: unknown): Promise<void> {
  const { gate, response, request, progress } = exchange;
  const { taken, chargeAddress } = request.meter;
  const error = taken === undefined ? await chargedFault(chargeAddress, thrown) : thrown;
  const fault = error instanceof StandardFault ? error : toldFault(gate.log, error, { gate: 'a2a' });
  const { http: status, error: told } = standardError(fault);
  progress.status = String(told.code);
  // A stream that has begun ends; its follower subscribes again and learns why.
  if (response.headersSent) return void response.end();
  const headers = headersOf(exchange);
  if (status === 401) headers['WWW-Authenticate'] = challengeOf(fault as Fault, gate.settings.baseUrl);
  if (status === 405) headers['Allow'] = 'POST';
  const id = progress.body === undefined ? null : idIn(progress.body);
  sendJson(response, status, JSON.stringify({ jsonrpc: '2.0', id, error: told }), headers);
}

function headersOf({ gate, http, request }: Exchange): Record<string, string> {
  return {
    'X-Request-Id': request.requestId,
    ...request.meter.headers(),
    ...activeExtensions(http),
    ...allowedOrigin(gate.settings, http.headers.origin),
  };
}
