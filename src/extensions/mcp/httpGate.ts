/**
 * MCP over HTTP (protocol 2026-07-28, and 2025-11-25 without sessions): one POST, one message. Who calls is settled before
 * the protocol is spoken, since hosts act on the status and its challenge (RFC 9728).
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import { Fault } from '../../../protocol/wire/fault.ts';
import { decodeUtf8, parseJson } from '../../../protocol/wire/json.ts';
import { readCredential, shownCredential } from '../../gates/shell/callers.ts';
import type { Gate } from '../../gates/shell/gate.ts';
import { challengeOf, requireJson, sendJson } from '../../gates/shell/http.ts';
import {
  chargedFault,
  type RequestMeter,
  recordRequest,
  requestMeter,
  toldFault,
} from '../../gates/shell/requestRecord.ts';
import type { Desk, ToolParts } from '../tool.ts';
import { gateDesk } from './gateDesk.ts';
import { requireOwnHost } from './hosts.ts';
import { MCP_PATH, RESOURCE_METADATA_PATH } from './mcpPaths.ts';
import { mcpServer } from './server.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What became of a request before the protocol was spoken. */
interface McpRequest {
  readonly desk: Desk;
  /** The message, parsed. */
  readonly message: unknown;
}

export function mcpHandler(gate: Gate, parts: ToolParts): Handler {
  const log = (error: Error) => gate.log.warn('mcp.failed', { error: error.stack ?? String(error) });
  const handler = createMcpHandler(
    ({ authInfo }) => mcpServer(authInfo?.extra?.['desk'] as Desk, { version: gate.settings.version, log, parts }),
    { onerror: log },
  );
  const speak = toNodeHandler(handler, { onerror: log });
  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = gate.newId('req_');
    const meter = requestMeter(gate, request);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    let route = 'none';
    const record = () => {
      const { statusCode: status } = response;
      recordRequest(gate, { gate: 'mcp', requestId, route, status, startedAt, caller: meter.coreReply?.caller });
    };
    // The event is of the connection, and outside of the trace of this request.
    response.once('close', AsyncResource.bind(record));
    try {
      const { desk, message } = await enter(gate, request, response, meter);
      route = methodOf(message);
      const auth: AuthInfo = { token: '', clientId: desk.callerId, scopes: [], extra: { desk } };
      await speak(Object.assign(request, { auth }) as never, response as never, message);
    } catch (error) {
      await refuse(gate, response, meter, error);
    }
  };
}

async function enter(
  gate: Gate,
  request: IncomingMessage,
  response: ServerResponse,
  meter: RequestMeter,
): Promise<McpRequest> {
  if (request.method !== 'POST') throw new Fault('METHOD_NOT_ALLOWED', 'MCP is served by POST, without sessions.');
  requireOwnHost(gate, request, response);
  const carrier = { method: 'POST', path: MCP_PATH, headers: request.headers };
  const shown = shownCredential(carrier);
  const body = await gate.bodies.read(request, response);
  const credential = readCredential(gate, carrier, shown, body, MCP_PATH);
  const { address } = meter;
  const visit = await gate.core.call('takeVisit', address, credential);
  meter.settle(visit);
  setRateHeaders(response, meter);
  requireJson(request.headers['content-type']);
  const message = parseJson(decodeUtf8(body));
  // The protocol has none since 2025-06-18, and each message is charged.
  if (Array.isArray(message)) throw new Fault('INVALID_REQUEST', 'Send one message at a time.');
  return { desk: gateDesk(gate, address, credential, visit as Required<typeof visit>), message };
}

/** As the protocol names it, where it is one of its methods: a caller must not make up labels. */
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

/** Answers in the place of the protocol. What fails before the core has charged its caller charges the address. */
async function refuse(gate: Gate, response: ServerResponse, meter: RequestMeter, thrown: unknown): Promise<void> {
  const error = meter.coreReply === undefined ? await chargedFault(meter.chargeAddress, thrown) : thrown;
  const fault = toldFault(gate.log, error, { gate: 'mcp' });
  if (response.headersSent) return void response.end();
  setRateHeaders(response, meter);
  const { http, jsonrpc } = fault.mapping;
  const { baseUrl } = gate.settings;
  const metadataUrl = `${baseUrl}${RESOURCE_METADATA_PATH}${MCP_PATH}`;
  if (http === 401) response.setHeader('WWW-Authenticate', challengeOf(fault, baseUrl, metadataUrl));
  if (http === 405) response.setHeader('Allow', 'POST');
  const told = { code: jsonrpc, message: fault.message, data: { code: fault.shownCode } };
  sendJson(response, http, JSON.stringify({ jsonrpc: '2.0', id: null, error: told }));
}

/** On the response itself, since the library writes most answers. */
function setRateHeaders(response: ServerResponse, meter: RequestMeter): void {
  for (const [name, value] of Object.entries(meter.headers())) response.setHeader(name, value);
}
