/** One HTTP request of standard A2A: its JSON-RPC body, who calls, and what its caller is charged. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STANDARD_PATH } from '../../../protocol/a2a/cards.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { decodeUtf8, JsonSyntaxFault, parseJson } from '../../../protocol/wire/json.ts';
import type { Credential } from '../../core/callerOf.ts';
import type { Gate } from '../../core/gate.ts';
import { isVouchedFor } from '../../core/isVouchedFor.ts';
import { readCredential, shownCredential } from '../../core/readCredential.ts';
import { type RequestMeter, requestMeter } from '../../gates/shell/requestMeter.ts';
import { requireJson } from '../../gates/shell/requireJson.ts';

export interface StandardRequest {
  readonly gate: Gate;
  readonly http: IncomingMessage;
  readonly meter: RequestMeter;
  readonly requestId: string;
  /** The credential of the headers; undefined where there is none. @throws Fault for one that cannot be this node's */
  credential(): Credential | undefined;
  /** Whether that credential is one of a caller that is known and has calls left. */
  isVouched(): Promise<boolean>;
}

export interface RpcCall {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A request whose body is still to be read, before which no credential can be: a proof is over it. */
interface Unread {
  readonly request: StandardRequest;
  /** @throws Fault of HTTP */
  read(response: ServerResponse): Promise<Buffer>;
}

/** There from the first moment, so that what is wrong with a body is charged as well. */
export function standardRequest(gate: Gate, http: IncomingMessage): Unread {
  let body: Buffer = Buffer.alloc(0);
  const meter = requestMeter(gate, http);
  let known: Credential | undefined;
  const request: StandardRequest = {
    gate,
    http,
    meter,
    requestId: gate.newId('req_'),
    credential() {
      const { authorization, 'x-did-proof': proof } = http.headers;
      if (authorization === undefined && proof === undefined) return undefined;
      const carrier = { method: 'POST', path: STANDARD_PATH, headers: http.headers };
      // Read once: a proof is spent by one request, and each reading would be another.
      known ??= readCredential(gate, carrier, shownCredential(carrier), body);
      return known;
    },
    isVouched: () => isVouchedFor(gate, meter.address, request.credential),
  };
  return {
    request,
    async read(response) {
      if (http.method === 'POST') body = await gate.bodies.read(http, response);
      return body;
    },
  };
}

/** @throws Fault for what is not one JSON-RPC request */
export function parseCall(http: IncomingMessage, body: Buffer): RpcCall {
  if (http.method !== 'POST') throw new Fault('METHOD_NOT_ALLOWED', 'A2A is served by POST.');
  requireJson(http.headers['content-type']);
  const { jsonrpc, id, method, params = {} } = objectIn(parsed(body));
  const wrong = (message: string) => new Fault('INVALID_REQUEST', message);
  if (jsonrpc !== '2.0') throw wrong('"jsonrpc" must be "2.0".');
  // No method runs as a notification: every request about money gets an answer.
  if (typeof id !== 'string' && typeof id !== 'number') throw wrong('"id" must be a string or a number.');
  if (typeof method !== 'string') throw wrong('"method" must be a string.');
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new Fault('BAD_REQUEST', '"params" must be an object.', [{ path: 'params', message: 'must be an object' }]);
  }
  return { id, method, params: params as RpcCall['params'] };
}

/** The id that an error answers, as far as the body has one. */
export function idIn(body: Buffer): string | number | null {
  try {
    const { id } = objectIn(parsed(body));
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(decodeUtf8(body));
  } catch (error) {
    if (error instanceof JsonSyntaxFault) throw new Fault('SYNTAX', error.message);
    if (error instanceof Fault && error.code === 'BAD_REQUEST') throw new Fault('INVALID_REQUEST', error.message);
    throw error;
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(value)) throw new Fault('INVALID_REQUEST', 'Send one request at a time.');
  if (typeof value !== 'object' || value === null) throw new Fault('INVALID_REQUEST', 'A request is a JSON object.');
  return value as Readonly<Record<string, unknown>>;
}
