/**
 * The connections of a server: how many there may be, and how they end when the node stops, each with the answer that is
 * under way on it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { peerSubject, type TrustedProxies } from '../access/clientAddress.ts';

export interface Connections {
  /** Is given each request before anything answers it. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Takes no more connections and lets requests in flight end. What is left at the limit is cut off. */
  drain(limitMs: number): Promise<void>;
}

interface Limits {
  readonly maxSockets: number;
  readonly maxSocketsPerAddress: number;
  /** They bring the connections of many clients, and are counted among all alone. */
  readonly proxies: TrustedProxies;
}

/** @param server before its first connection */
export function watchConnections(server: Server, limits: Limits): Connections {
  const open = new Set<Socket>();
  const perAddress = new Map<string, number>();
  const unanswered = new Set<ServerResponse>();
  let draining = false;
  server.on('connection', (socket: Socket) => {
    const subject = peerSubject(socket.remoteAddress, limits.proxies);
    const held = subject === undefined ? 0 : (perAddress.get(subject) ?? 0);
    if (open.size >= limits.maxSockets || held >= limits.maxSocketsPerAddress) return turnAway(socket);
    open.add(socket);
    if (subject !== undefined) perAddress.set(subject, held + 1);
    socket.once('close', () => {
      open.delete(socket);
      if (subject === undefined) return;
      const left = (perAddress.get(subject) ?? 1) - 1;
      if (left === 0) perAddress.delete(subject);
      else perAddress.set(subject, left);
    });
  });
  return {
    begin(request, response) {
      unanswered.add(response);
      if (draining) sayLast(response);
      response.once('close', () => {
        unanswered.delete(response);
        // An answer that had begun before could not say that it is the last one.
        if (draining) request.socket.destroySoon();
      });
    },
    drain(limitMs) {
      draining = true;
      for (const response of unanswered) sayLast(response);
      return new Promise((resolve) => {
        const limit = setTimeout(() => {
          for (const socket of open) socket.destroy();
        }, limitMs);
        server.close(() => {
          clearTimeout(limit);
          resolve();
        });
        // The server closes those that idle between requests; those that have sent nothing yet it takes for busy.
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      });
    },
  };
}

const FULL = JSON.stringify({
  error: {
    code: 'UNAVAILABLE',
    message: 'Too many connections are open to this node; close some, or try again later.',
  },
});
const FULL_ANSWER =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n' +
  `Content-Length: ${Buffer.byteLength(FULL)}\r\n\r\n${FULL}`;

/** Answered before a request is read, so that it costs next to nothing. */
function turnAway(socket: Socket): void {
  socket.on('error', () => {});
  socket.write(FULL_ANSWER, () => socket.destroy());
}

/** A caller that keeps its connection would lose its next request on it. */
function sayLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
