/**
 * The gateway, our own dialect: one JSON-RPC request or a batch of them in, their answers out. Over HTTP it is one POST,
 * answered 200 with a result or an error, and 429 when the rate limit is reached.
 */

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Did } from '../../../protocol/credential/did.ts';
import { FAULTS, Fault } from '../../../protocol/wire/fault.ts';
import { type CarriedProof, verifyDidProof } from '../../access/didProof.ts';
import type { CoreReply } from '../../core/serveRequest.ts';
import { isVouchedFor } from '../shell/callers.ts';
import type { Gate } from '../shell/gate.ts';
import { allowedOrigin, requireJson, sendJson } from '../shell/http.ts';
import {
  answerText,
  parseRpcBody,
  type RpcAnswer,
  type RpcCall,
  type RpcError,
  type RpcOutcome,
  refusalOf,
  rpcServer,
} from '../shell/jsonRpc.ts';
import {
  chargedFault,
  payForLength,
  type RequestMeter,
  recordRequest,
  requestMeter,
  toldFault,
} from '../shell/requestRecord.ts';
import { methods } from './methods.ts';

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

const MAX_BATCH = 50;

/** Answers one body: a request or a batch of them. */
export type Dispatch = (request: GatewayRequest, body: Buffer) => Promise<RpcAnswer | RpcAnswer[]>;

/** One JSON-RPC request of a body. */
interface Item {
  readonly request: GatewayRequest;
  /** The name of its method, once that is known. */
  route: string;
  /** What the core made of it, once it has. */
  coreReply?: CoreReply;
}

export function dispatcher(gate: Gate): Dispatch {
  const server = rpcServer<Item>({
    methods: Object.fromEntries(Object.keys(methods).map((name) => [name, (call, item) => run(gate, call, item)])),
    order: ['id', 'jsonrpc', 'method'],
    check: requireParams,
    async tell(error, { request, coreReply }) {
      return errorOf(gate, coreReply === undefined ? await chargedFault(request.meter.chargeAddress, error) : error);
    },
  });

  async function one(request: GatewayRequest, candidate: unknown): Promise<RpcAnswer> {
    const startedAt = performance.now();
    const item: Item = { request, route: 'none' };
    const answer = await server.answer(candidate, item);
    const { requestId } = request;
    const status = answer.error?.code ?? 'ok';
    recordRequest(gate, {
      gate: 'a2a',
      requestId,
      route: item.route,
      status,
      startedAt,
      caller: item.coreReply?.caller,
    });
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
  const settle = (coreReply: CoreReply) => {
    item.coreReply = coreReply;
    return request.meter.settle(coreReply);
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
function failed(gate: Gate, error: unknown): RpcAnswer {
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

export interface GatewayRequest {
  /** An id that the node makes; a client's own would let it say that two requests are one. */
  readonly requestId: string;
  /** Shared by all items of a batch, and by all frames of a socket. */
  readonly meter: RequestMeter;
  /** X-Agent-DID, canonical, when it was sent. @throws Fault UNVERIFIED for one that is no DID */
  namedDid(): string | undefined;
  /** The proof of X-DID-Proof. @throws Fault UNVERIFIED when it was sent and does not hold */
  proof(): CarriedProof | undefined;
  /** Notes that the core took the proof as fresh: it vouches for as long as what it opened stays open. */
  admitted(): void;
  /**
   * Whether the proof of X-DID-Proof holds and is of an agent that the core knows and that has calls left: what it vouches
   * for is parsed, however long it is.
   */
  isVouched(): Promise<boolean>;
}

interface GatewayHeaders {
  readonly agentDid?: string | undefined;
  readonly didProof?: string | undefined;
}

/**
 * @param message the HTTP request, whose address unknown callers are charged by
 * @param http.body the raw body, which the proof's hash is over; read when the proof is asked for
 */
export function gatewayRequest(
  gate: Gate,
  message: IncomingMessage,
  headers: GatewayHeaders,
  http: { readonly method: string; readonly path: string; readonly body: Buffer },
): GatewayRequest {
  const requestId = gate.newId('req_');
  const meter = requestMeter(gate, message);
  let proof: CarriedProof | undefined;
  function readProof(): CarriedProof | undefined {
    if (proof !== undefined || headers.didProof === undefined) return proof;
    const bodyHash = createHash('sha256').update(http.body).digest('base64url');
    const request = { baseUrl: gate.settings.baseUrl, method: http.method, path: http.path, bodyHash };
    proof = { ...verifyDidProof(gate.suite, headers.didProof, request), requestId };
    return proof;
  }
  return {
    requestId,
    meter,
    namedDid: () => (headers.agentDid === undefined ? undefined : readNamed(headers.agentDid)),
    proof: readProof,
    isVouched: () =>
      isVouchedFor(gate, meter.address, () => {
        const carried = readProof();
        return carried && { kind: 'proof', proof: carried };
      }),
    admitted() {
      if (proof !== undefined) proof = { did: proof.did, jti: proof.jti, expiresAt: proof.expiresAt, requestId };
    },
  };
}

function readNamed(text: string): string {
  const did = Did.safeParse(text);
  if (did.success) return did.data;
  throw new Fault('UNVERIFIED', 'X-Agent-DID must be the DID of the agent that calls, did:key:z6Mk…, or be left out.');
}
