/** The connections of a server, and how they end when the node stops: each with the answer that is under way on it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Is given each request before anything answers it. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Takes no more connections and lets requests in flight end. What is left at the limit is cut off. */
  drain(limitMs: number): Promise<void>;
}

/** @param server before its first connection */
export function watchConnections(server: Server): Connections {
  const open = new Set<Socket>();
  const unanswered = new Set<ServerResponse>();
  let draining = false;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
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

/** A caller that keeps its connection would lose its next request on it. */
function sayLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
