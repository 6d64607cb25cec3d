/** The gateway over HTTP: one POST, answered 200 whatever JSON-RPC says, 429 where the caller must slow down. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '../../protocol/wire/fault.ts';
import { isJson, readBody } from '../access/body.ts';
import { rateHeaders } from '../access/rateLimit.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { answerText, type RpcAnswer } from './answerText.ts';
import { type Dispatch, failed } from './dispatch.ts';
import { gatewayRequest, tooMany } from './gatewayRequest.ts';

export const GATEWAY_PATH = '/a2a/gateway';
const RATE_LIMITED = -32003;

export function gatewayHandler(
  deps: Deps,
  dispatch: Dispatch,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { status, answer, headers } = await answerTo(deps, dispatch, request);
    const text = answerText(answer);
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...allowedOrigin(deps, request),
      ...headers,
      ...(status === 405 ? { Allow: 'POST' } : {}),
    });
    response.end(text);
  };
}

/** Preflights are answered by the facade; the answers themselves name the origin here. */
function allowedOrigin(deps: Deps, request: IncomingMessage): Record<string, string> {
  const { origin } = request.headers;
  if (deps.settings.corsOrigins.length === 0) return {};
  const known = origin !== undefined && deps.settings.corsOrigins.includes(origin);
  return known ? { Vary: 'Origin', 'Access-Control-Allow-Origin': origin } : { Vary: 'Origin' };
}

interface HttpAnswer {
  readonly status: number;
  readonly answer: RpcAnswer | RpcAnswer[];
  readonly headers: Record<string, string>;
}

async function answerTo(deps: Deps, dispatch: Dispatch, request: IncomingMessage): Promise<HttpAnswer> {
  const address = `address ${request.socket.remoteAddress}`;
  let standing = deps.limits.peek(address, 'free', deps.clock());
  try {
    if (!standing.allowed) throw tooMany(standing);
    if (request.method !== 'POST') throw new Fault('METHOD_NOT_ALLOWED', 'The gateway takes POST.');
    const body = await readBody(request);
    if (!isJson(request.headers['content-type'])) {
      throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "Content-Type: application/json".');
    }
    const proofs = { agentDid: header(request, 'x-agent-did'), didProof: header(request, 'x-did-proof') };
    const carried = gatewayRequest(deps, proofs, { method: 'POST', path: GATEWAY_PATH, body });
    const answer = await dispatch(carried, body);
    // Only who could not be told who it is charges the address it calls from.
    standing = carried.verdict() ?? deps.limits.charge(address, 'free', deps.clock());
    const limited = !Array.isArray(answer) && answer.error?.code === RATE_LIMITED;
    return {
      status: limited ? 429 : 200,
      answer,
      headers: { ...rateHeaders(standing), 'X-Request-Id': carried.requestId },
    };
  } catch (error) {
    if (standing.allowed) standing = deps.limits.charge(address, 'free', deps.clock());
    const aboutHttp = error instanceof Fault && HTTP_FAULTS.has(error.code);
    const status = aboutHttp ? (error as Fault).mapping.http : 200;
    return { status, answer: failed(deps, null, error), headers: rateHeaders(standing) };
  }
}

/** Faults of the transport itself keep their HTTP status; everything else is JSON-RPC's to say. */
const HTTP_FAULTS = new Set(['METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED']);

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
