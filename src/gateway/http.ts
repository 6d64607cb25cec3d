/** The gateway over HTTP: one POST, answered 200 whatever JSON-RPC says, 429 where the caller must slow down. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '../../protocol/fault.ts';
import { isJson, readBody } from '../access/body.ts';
import type { Deps } from '../handlers/deps.ts';
import { type Dispatch, failed, type RpcAnswer } from './dispatch.ts';
import { gatewayRequest } from './request.ts';

export const GATEWAY_PATH = '/a2a/gateway';
const RATE_LIMITED = -32003;

export function gatewayHandler(
  deps: Deps,
  dispatch: Dispatch,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { status, answer } = await answerTo(deps, dispatch, request);
    const text = Buffer.from(JSON.stringify(answer));
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': text.length,
      ...(status === 405 ? { Allow: 'POST' } : {}),
    });
    response.end(text);
  };
}

async function answerTo(
  deps: Deps,
  dispatch: Dispatch,
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly answer: RpcAnswer | RpcAnswer[] }> {
  try {
    if (request.method !== 'POST') throw new Fault('METHOD_NOT_ALLOWED', 'The gateway takes POST.');
    const body = await readBody(request);
    if (!isJson(request.headers['content-type'])) {
      throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "Content-Type: application/json".');
    }
    const headers = {
      agentDid: header(request, 'x-agent-did'),
      didProof: header(request, 'x-did-proof'),
    };
    const http = { method: 'POST', path: GATEWAY_PATH, body };
    const answer = await dispatch(gatewayRequest(deps, headers, http), body);
    return { status: !Array.isArray(answer) && answer.error?.code === RATE_LIMITED ? 429 : 200, answer };
  } catch (error) {
    const answer = failed(deps, null, error);
    const aboutHttp = error instanceof Fault && HTTP_FAULTS.has(error.code);
    return { status: aboutHttp ? (error as Fault).mapping.http : 200, answer };
  }
}

/** Faults of the transport itself keep their HTTP status; everything else is JSON-RPC's to say. */
const HTTP_FAULTS = new Set(['METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED']);

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
