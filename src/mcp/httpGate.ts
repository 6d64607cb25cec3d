/**
 * MCP over HTTP (protocol 2026-07-28, and 2025-11-25 without sessions): one POST, one message. Who calls is settled before
 * the protocol is spoken, since hosts act on the status and its challenge (RFC 9728).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import { Fault } from '../../protocol/wire/fault.ts';
import { decodeUtf8, parseJson } from '../../protocol/wire/json.ts';
import { isJson } from '../access/body.ts';
import { addressSubject } from '../access/clientAddress.ts';
import { rateHeaders } from '../access/rateLimit.ts';
import type { Gate } from '../core/gate.ts';
import { readCredential, shownCredential } from '../core/readCredential.ts';
import { answerOf, type Taken } from '../core/taken.ts';
import type { Visitor } from '../core/takeVisit.ts';
import type { Desk } from './desk.ts';
import { gateDesk } from './gateDesk.ts';
import { challengeOf, MCP_PATH, requireOwnHost } from './hosts.ts';
import { mcpServer } from './server.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What became of a request before the protocol was spoken. */
interface Entered {
  readonly desk: Desk;
  /** The message, parsed. */
  readonly message: unknown;
}

export function mcpHandler(gate: Gate): Handler {
  const log = (error: Error) => gate.log.warn('mcp.failed', { error: error.stack ?? String(error) });
  const handler = createMcpHandler(
    ({ authInfo }) => mcpServer(authInfo?.extra?.['desk'] as Desk, { version: gate.settings.version, log }),
    { onerror: log },
  );
  const speak = toNodeHandler(handler, { onerror: log });
  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = gate.newId('req_');
    const asked: { taken?: Taken } = {};
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    let method = 'none';
    response.once('close', () => {
      const ms = performance.now() - startedAt;
      const { kind: caller, id: callerId } = asked.taken?.caller ?? {};
      gate.metrics.request('mcp', method, String(response.statusCode), ms / 1000);
      const facts = { requestId, gate: 'mcp', route: method, status: response.statusCode, caller, callerId };
      gate.log.info('request', { ...facts, ms: Math.round(ms * 10) / 10 });
    });
    try {
      const { desk, message } = await enter(gate, request, response, asked);
      method = methodOf(message);
      const auth: AuthInfo = { token: '', clientId: desk.callerId, scopes: [], extra: { desk } };
      await speak(Object.assign(request, { auth }) as never, response as never, message);
    } catch (error) {
      await refuse(gate, request, response, asked, error);
    }
  };
}

async function enter(
  gate: Gate,
  request: IncomingMessage,
  response: ServerResponse,
  asked: { taken?: Taken },
): Promise<Entered> {
  if (request.method !== 'POST') throw new Fault('METHOD_NOT_ALLOWED', 'MCP is served by POST, without sessions.');
  requireOwnHost(gate, request, response);
  const carrier = { method: 'POST', path: MCP_PATH, headers: request.headers };
  const shown = shownCredential(carrier);
  const body = await gate.bodies.read(request, response);
  const credential = readCredential(gate, carrier, shown, body, MCP_PATH);
  const address = addressOf(gate, request);
  const taken = await gate.core.call('takeVisit', address, credential);
  asked.taken = taken;
  setRateHeaders(response, taken);
  const visitor = JSON.parse(String(answerOf(taken))) as Visitor;
  if (!isJson(request.headers['content-type'])) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "Content-Type: application/json".');
  }
  const message = parseJson(decodeUtf8(body));
  // The protocol has none since 2025-06-18, and each message is charged.
  if (Array.isArray(message)) throw new Fault('INVALID_REQUEST', 'Send one message at a time.');
  return { desk: gateDesk(gate, address, credential, visitor), message };
}

/** As the protocol names it, where it is one of its methods: whoever calls must not make up labels. */
const METHODS = new Set([
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'subscriptions/listen',
]);

function methodOf(message: unknown): string {
  const { method } = (message ?? {}) as { readonly method?: unknown };
  return typeof method === 'string' && METHODS.has(method) ? method : 'none';
}

/** Answers in the place of the protocol. What fails before the core has charged anybody charges the address. */
async function refuse(
  gate: Gate,
  request: IncomingMessage,
  response: ServerResponse,
  asked: { taken?: Taken },
  thrown: unknown,
): Promise<void> {
  const error = asked.taken === undefined ? await chargedFault(gate, request, response, thrown) : thrown;
  if (!(error instanceof Fault)) {
    gate.log.error('request.failed', { gate: 'mcp', error: error instanceof Error ? error.stack : String(error) });
  }
  if (response.headersSent) return void response.end();
  const fault =
    error instanceof Fault ? error : new Fault('INTERNAL_ERROR', 'Something went wrong here; it has been logged.');
  const { http, jsonrpc } = fault.mapping;
  if (http === 401) response.setHeader('WWW-Authenticate', challengeOf(gate.settings.baseUrl));
  if (http === 405) response.setHeader('Allow', 'POST');
  const code = fault.mapping.shownAs ?? fault.code;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: jsonrpc, message: fault.message, data: { code } },
  });
  response.writeHead(http, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
}

async function chargedFault(
  gate: Gate,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): Promise<unknown> {
  try {
    const taken = await gate.core.call('chargeAddress', addressOf(gate, request));
    setRateHeaders(response, taken);
    answerOf(taken);
    return error;
  } catch (tooMany) {
    return tooMany;
  }
}

function setRateHeaders(response: ServerResponse, { verdict }: Taken): void {
  for (const [name, value] of Object.entries(rateHeaders(verdict))) response.setHeader(name, value);
}

function addressOf(gate: Gate, request: IncomingMessage): string {
  return addressSubject(request, gate.settings.trustedProxies);
}
