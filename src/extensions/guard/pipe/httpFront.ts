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
const LOOPBACK = '127.0.0.1';
const MOST_SESSIONS = 200;

/** @param open makes the pipe of a client, by what it sent as Authorization @returns once it listens */
export async function listenHttp(
  port: number,
  open: (front: Transport, authorization: string | undefined) => Promise<void>,
  log: (line: string) => void,
): Promise<Server> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const isLocal = localhostHostValidation();
  const isOwnOrigin = localhostOriginValidation();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A page in a browser of this machine must not spend.
    if (!isLocal(request, response) || !isOwnOrigin(request, response)) return;
    if (request.url?.split('?')[0] !== GUARD_PATH) {
      response.writeHead(404).end();
      return;
    }
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known === undefined && (id !== undefined || sessions.size >= MOST_SESSIONS)) {
      response.writeHead(id === undefined ? 503 : 404).end();
      return;
    }
    const transport = known ?? (await openSession(request.headers.authorization));
    await transport.handleRequest(request, response);
    // What opened no session, such as a message without `initialize`, leaves no server behind.
    if (known === undefined && transport.sessionId === undefined) await transport.close();
  };
  const openSession = async (authorization: string | undefined) => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await open(transport, authorization);
    return transport;
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (!response.headersSent) response.writeHead(502).end();
    });
  });
  server.on('close', () => {
    for (const transport of sessions.values()) void transport.close();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return server;
}
