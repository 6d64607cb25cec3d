/**
 * Standard A2A over HTTP (JSON-RPC; 1.0, and 0.3 at the same address): one POST, answered by a JSON-RPC answer or by a stream.
 * Exchanges are tasks, and what the policy says of them is their state.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { byJsonNames } from '../../../protocol/a2a/jsonNames.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { rateHeaders } from '../../access/rateLimit.ts';
import type { Gate } from '../../core/gate.ts';
import { payForLength } from '../payForLength.ts';
import { ACTIONS } from './actions.ts';
import { StandardFault, standardError } from './faults.ts';
import { heldStreams } from './heldStreams.ts';
import { idIn, parseCall, type StandardRequest, standardRequest } from './standardRequest.ts';
import { openStream, streamTask } from './streamTask.ts';
import { activeExtensions, METHOD_NAMES, methodOf, requireVersion } from './versions.ts';

/** What is known of a request when it is answered. */
interface Progress {
  request?: StandardRequest;
  /** Once it may be parsed. */
  body?: Buffer;
  method: string;
  status: string;
}

export function standardGate(gate: Gate): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const streams = heldStreams();
  return async (http, response) => {
    const startedAt = performance.now();
    const progress: Progress = { method: 'none', status: 'ok' };
    try {
      await answer({ gate, streams }, http, response, progress);
    } catch (error) {
      await refuse(gate, http, response, progress, error);
    }
    observe(gate, progress, performance.now() - startedAt);
  };
}

async function answer(
  { gate, streams }: { readonly gate: Gate; readonly streams: ReturnType<typeof heldStreams> },
  http: IncomingMessage,
  response: ServerResponse,
  progress: Progress,
): Promise<void> {
  const { request, read } = standardRequest(gate, http);
  progress.request = request;
  const body = await read(response);
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
  const headers = headersOf(gate, http, request);
  if ('stream' in answered) {
    const stream = streams.admit(answered.stream, response);
    openStream(response, headers);
    await streamTask(gate, response, stream);
    return;
  }
  write(response, 200, headers, { jsonrpc: '2.0', id: call.id, result: answered.result });
}

/** What fails before the core has charged anybody charges the address. */
async function refuse(
  gate: Gate,
  http: IncomingMessage,
  response: ServerResponse,
  progress: Progress,
  thrown: unknown,
): Promise<void> {
  const { request, body } = progress;
  const isCharged = request === undefined || request.taken !== undefined;
  const error = isCharged ? thrown : await chargedFault(request, thrown);
  if (!(error instanceof Fault) && !(error instanceof StandardFault)) {
    gate.log.error('request.failed', { gate: 'a2a', error: error instanceof Error ? error.stack : String(error) });
  }
  const { http: status, error: told } = standardError(error);
  progress.status = String(told.code);
  // A stream that has begun ends; its follower subscribes again and learns why.
  if (response.headersSent) return void response.end();
  const headers = request === undefined ? {} : headersOf(gate, http, request);
  if (status === 401) headers['WWW-Authenticate'] = `Bearer realm="${gate.settings.baseUrl}"`;
  if (status === 405) headers['Allow'] = 'POST';
  write(response, status, headers, { jsonrpc: '2.0', id: body === undefined ? null : idIn(body), error: told });
}

async function chargedFault(request: StandardRequest, error: unknown): Promise<unknown> {
  try {
    await request.chargeAddress();
    return error;
  } catch (tooMany) {
    // One that was refused for its length says more.
    return error instanceof Fault && error.code === 'RATE_LIMITED' ? error : tooMany;
  }
}

function headersOf(gate: Gate, http: IncomingMessage, request: StandardRequest): Record<string, string> {
  const { verdict } = request;
  return {
    'X-Request-Id': request.requestId,
    ...(verdict === undefined ? {} : rateHeaders(verdict)),
    ...activeExtensions(http),
    ...allowedOrigin(gate, http),
  };
}

/** The facade answers preflight requests; here the answers themselves name the allowed origin (Fetch Standard, CORS). */
function allowedOrigin(gate: Gate, { headers: { origin } }: IncomingMessage): Record<string, string> {
  const { corsOrigins } = gate.settings;
  if (corsOrigins.length === 0) return {};
  const known = origin !== undefined && corsOrigins.includes(origin);
  return known ? { Vary: 'Origin', 'Access-Control-Allow-Origin': origin } : { Vary: 'Origin' };
}

function write(response: ServerResponse, status: number, headers: Record<string, string>, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

function observe(gate: Gate, { request, method, status }: Progress, ms: number): void {
  gate.metrics.request('a2a', method, status, ms / 1000);
  const { kind: caller, id: callerId } = request?.taken?.caller ?? {};
  const facts = { requestId: request?.requestId, gate: 'a2a', route: method, status, caller, callerId };
  gate.log.info('request', { ...facts, ms: Math.round(ms * 10) / 10 });
}
