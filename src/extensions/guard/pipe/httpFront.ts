/**
 * The guard as an MCP server over HTTP, for programs of this machine: a session of a client is a pipe of its own, and clients of a version
 * without sessions share one by what they send as Authorization.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { classifyInboundRequest, type InboundModernRoute, type Transport } from '@modelcontextprotocol/server';
import { ExchangeFront } from './exchangeFront.ts';

export const GUARD_PATH = '/mcp';
const MOST_SESSIONS = 200;
/** Of clients without sessions, which differ in what they send as Authorization. */
const MOST_SHARED = 20;

/** Makes the pipe of a client, by what it sent as Authorization. */
type OpenPipe = (front: Transport, authorization: string | undefined) => Promise<void>;

class HttpSessions {
  /** The one that was asked longest ago first. */
  readonly #transports = new Map<string, NodeStreamableHTTPServerTransport>();
  /** By Authorization; the one that was asked longest ago first. */
  readonly #shared = new Map<string, Promise<ExchangeFront>>();
  readonly #open: OpenPipe;

  constructor(open: OpenPipe) {
    this.#open = open;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const transport = this.#transports.get(id);
      if (transport === undefined) response.writeHead(404).end();
      else {
        this.#keep(id, transport);
        await transport.handleRequest(request, response);
      }
      return;
    }
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    const route = classifyInboundRequest({ httpMethod: request.method ?? '', ...namedIn(request), body });
    if (route.kind === 'modern') return this.#exchange(route, request, response, body);
    if (route.kind === 'reject' && body !== undefined) {
      const { httpStatus, code, message, data } = route;
      const error = { code, message, ...(data === undefined ? {} : { data }) };
      response.writeHead(httpStatus, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
      return;
    }
    // Clients that went away without a word leave a server behind.
    const [oldest] = this.#transports.values();
    if (this.#transports.size >= MOST_SESSIONS) await oldest?.close();
    const transport = await this.#begin(request.headers.authorization);
    await transport.handleRequest(request, response, body);
    // So does what opened no session, such as a message without `initialize`.
    if (transport.sessionId === undefined) await transport.close();
  }

  close(): void {
    for (const transport of this.#transports.values()) void transport.close();
    for (const front of this.#shared.values()) void front.then((each) => each.close());
  }

  async #exchange(
    route: InboundModernRoute,
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const front = await this.#share(request.headers.authorization);
    await toNodeHandler({ fetch: (asked) => front.answer(route, asked) })(request as never, response, body);
  }

  async #share(authorization: string | undefined): Promise<ExchangeFront> {
    const key = authorization ?? '';
    const known = this.#shared.get(key);
    const front = known ?? this.#beginShared(key, authorization);
    this.#shared.delete(key);
    this.#shared.set(key, front);
    if (known === undefined && this.#shared.size > MOST_SHARED) await this.#endIdle(key);
    return front;
  }

  async #beginShared(key: string, authorization: string | undefined): Promise<ExchangeFront> {
    const front = new ExchangeFront();
    front.onclose = () => this.#shared.delete(key);
    try {
      await this.#open(front, authorization);
      return front;
    } catch (error) {
      this.#shared.delete(key);
      throw error;
    }
  }

  /** What is on its way is waited for. */
  async #endIdle(but: string): Promise<void> {
    for (const [key, front] of this.#shared) {
      const each = key === but ? undefined : await front.catch(() => undefined);
      if (each?.isIdle === true) return each.close();
    }
  }

  async #begin(authorization: string | undefined): Promise<NodeStreamableHTTPServerTransport> {
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#keep(id, transport),
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#transports.delete(transport.sessionId);
    };
    await this.#open(transport, authorization);
    return transport;
  }

  #keep(id: string, transport: NodeStreamableHTTPServerTransport): void {
    this.#transports.delete(id);
    this.#transports.set(id, transport);
  }
}

/** What a request names in its headers, beside its body. */
function namedIn({ headers }: IncomingMessage) {
  const named = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined);
  const [version, method, tool] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map(named);
  return {
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
    ...(tool === undefined ? {} : { mcpNameHeader: tool }),
  };
}

class UnreadableBody extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws UnreadableBody */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const asked = await toWebRequest(request as never).catch((error: Error) => {
    throw new UnreadableBody('status' in error ? 413 : 400, error.message);
  });
  const text = await asked.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableBody(400, 'The body must be JSON.');
  }
}

function tellUnreadable(response: ServerResponse, { status, message }: UnreadableBody): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message } }));
}

/** @returns once it listens */
export async function listenHttp(port: number, open: OpenPipe, log: (line: string) => void): Promise<Server> {
  const sessions = new HttpSessions(open);
  const isLocal = localhostHostValidation();
  const isOwnOrigin = localhostOriginValidation();
  const server = createServer((request, response) => {
    // A page in a browser of this machine must not spend.
    if (!isLocal(request, response) || !isOwnOrigin(request, response)) return;
    if (request.url?.split('?')[0] !== GUARD_PATH) {
      response.writeHead(404).end();
      return;
    }
    sessions.answer(request, response).catch((error: unknown) => {
      if (error instanceof UnreadableBody) return tellUnreadable(response, error);
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (!response.headersSent) response.writeHead(502).end();
    });
  });
  server.on('close', () => sessions.close());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
