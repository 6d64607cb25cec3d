/** The gateway over HTTP: one POST, answered 200 with a JSON-RPC result or error, and 429 when the rate limit is reached. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAULTS, Fault } from '../../../protocol/wire/fault.ts';
import { chargedFault } from '../shell/chargedFault.ts';
import type { Gate } from '../shell/gate.ts';
import { allowedOrigin } from '../shell/origins.ts';
import { requireJson } from '../shell/requireJson.ts';
import { answerText, type RpcAnswer } from '../shell/rpcAnswer.ts';
import { sendJson } from '../shell/sendJson.ts';
import { type Dispatch, failed } from './dispatch.ts';
import { type GatewayRequest, gatewayRequest } from './gatewayRequest.ts';

export const GATEWAY_PATH = '/a2a/gateway';
const NOTHING: Buffer = Buffer.alloc(0);

export function gatewayHandler(
  gate: Gate,
  dispatch: Dispatch,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const headers = { agentDid: header(request, 'x-agent-did'), didProof: header(request, 'x-did-proof') };
    const http = { method: 'POST', path: GATEWAY_PATH, body: NOTHING };
    const carried = gatewayRequest(gate, request, headers, http);
    const read = async () => {
      if (request.method !== 'POST') throw new Fault('METHOD_NOT_ALLOWED', 'The gateway takes POST.');
      http.body = await gate.bodies.read(request, response);
      requireJson(request.headers['content-type']);
      return http.body;
    };
    const { status, answer } = await answerTo(gate, dispatch, carried, read);
    sendJson(response, status, answerText(answer), {
      ...carried.meter.headers(),
      'X-Request-Id': carried.requestId,
      ...(status === 405 ? { Allow: 'POST' } : {}),
      ...allowedOrigin(gate.settings, request.headers.origin),
    });
  };
}

interface HttpAnswer {
  readonly status: number;
  readonly answer: RpcAnswer | RpcAnswer[];
}

async function answerTo(
  gate: Gate,
  dispatch: Dispatch,
  carried: GatewayRequest,
  read: () => Promise<Buffer>,
): Promise<HttpAnswer> {
  try {
    const answer = await dispatch(carried, await read());
    const limited = !Array.isArray(answer) && answer.error?.code === FAULTS.RATE_LIMITED.jsonrpc;
    return { status: limited ? 429 : 200, answer };
  } catch (error) {
    const fault = await chargedFault(carried.meter.chargeAddress, error);
    const aboutHttp = fault instanceof Fault && HTTP_FAULTS.has(fault.code);
    return { status: aboutHttp ? fault.mapping.http : 200, answer: failed(gate, fault) };
  }
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
