/** The guard as an MCP server over HTTP, for programs of this machine: a session of a client is a pipe of its own. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
} from '@modelcontextprotocol/node';
import type { Transport } from '@modelcontextprotocol/server';

export const GUARD_PATH = '/mcp';
const MOST_SESSIONS = 200;

/** Makes the pipe of a client, by what it sent as Authorization. */
type OpenPipe = (front: Transport, authorization: string | undefined) => Promise<void>;

class HttpSessions {
  /** The one that was asked longest ago first. */
  readonly #transports = new Map<string, NodeStreamableHTTPServerTransport>();
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
    // Clients that went away without a word leave a server behind.
    const [oldest] = this.#transports.values();
    if (this.#transports.size >= MOST_SESSIONS) await oldest?.close();
    const transport = await this.#begin(request.headers.authorization);
    await transport.handleRequest(request, response);
    // So does what opened no session, such as a message without `initialize`.
    if (transport.sessionId === undefined) await transport.close();
  }

  close(): void {
    for (const transport of this.#transports.values()) void transport.close();
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
