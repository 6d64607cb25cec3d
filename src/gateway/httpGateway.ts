/** The gateway over HTTP: one POST, answered 200 with a JSON-RPC result or error, and 429 when the rate limit is reached. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { FAULTS, Fault } from '../../protocol/wire/fault.ts';
import { isJson } from '../access/body.ts';
import { rateHeaders } from '../access/rateLimit.ts';
import type { Gate } from '../core/gate.ts';
import { chargedFault, type Dispatch, failed } from './dispatch.ts';
import { type GatewayRequest, gatewayRequest } from './gatewayRequest.ts';
import { answerText, type RpcAnswer } from './rpcAnswer.ts';

export const GATEWAY_PATH = '/a2a/gateway';
const NOTHING: Buffer = Buffer.alloc(0);

export function gatewayHandler(
  gate: Gate,
  dispatch: Dispatch,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { status, answer, headers } = await answerTo(gate, dispatch, request, response);
    const text = answerText(answer);
    headers['Content-Length'] = Buffer.byteLength(text);
    if (status === 405) headers.Allow = 'POST';
    allowOrigin(gate, request, headers);
    response.writeHead(status, headers);
    response.end(text);
  };
}

/** The facade answers preflight requests; here the answers themselves name the allowed origin (Fetch Standard, CORS). */
function allowOrigin(gate: Gate, request: IncomingMessage, headers: OutgoingHttpHeaders): void {
  const { origin } = request.headers;
  if (gate.settings.corsOrigins.length === 0) return;
  headers.Vary = 'Origin';
  const known = origin !== undefined && gate.settings.corsOrigins.includes(origin);
  if (known) headers['Access-Control-Allow-Origin'] = origin;
}

interface HttpAnswer {
  readonly status: number;
  readonly answer: RpcAnswer | RpcAnswer[];
  readonly headers: OutgoingHttpHeaders;
}

async function answerTo(
  gate: Gate,
  dispatch: Dispatch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpAnswer> {
  const headers = { agentDid: header(request, 'x-agent-did'), didProof: header(request, 'x-did-proof') };
  const http = { method: 'POST', path: GATEWAY_PATH, body: NOTHING };
  const carried = gatewayRequest(gate, request, headers, http);
  try {
    if (request.method !== 'POST') throw new Fault('METHOD_NOT_ALLOWED', 'The gateway takes POST.');
    http.body = await gate.bodies.read(request, response);
    if (!isJson(request.headers['content-type'])) {
      throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "Content-Type: application/json".');
    }
    const answer = await dispatch(carried, http.body);
    const limited = !Array.isArray(answer) && answer.error?.code === FAULTS.RATE_LIMITED.jsonrpc;
    return { status: limited ? 429 : 200, answer, headers: headersOf(carried) };
  } catch (error) {
    const fault = await chargedFault(carried, error);
    const aboutHttp = fault instanceof Fault && HTTP_FAULTS.has(fault.code);
    const status = aboutHttp ? fault.mapping.http : 200;
    return { status, answer: failed(gate, null, fault), headers: headersOf(carried) };
  }
}

function headersOf(request: GatewayRequest): OutgoingHttpHeaders {
  const verdict = request.standing();
  const headers: OutgoingHttpHeaders = verdict === undefined ? {} : rateHeaders(verdict);
  headers['X-Request-Id'] = request.requestId;
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Cache-Control'] = 'no-store';
  headers['X-Content-Type-Options'] = 'nosniff';
  return headers;
}

/** Faults of the transport keep their HTTP status; all others are answered 200 with a JSON-RPC error. */
const HTTP_FAULTS = new Set([
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'UNAVAILABLE',
]);

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
