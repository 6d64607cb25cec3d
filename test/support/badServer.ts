/** A server that does something wrong with every request it gets. */
import { createServer, type Socket } from 'node:net';

/** What it does with a connection once a request has come. */
export type Behave = (socket: Socket) => void;

/** The beginning of an answer, up to the length of its body. */
export const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: ';

export async function badServer(behave: Behave): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    let seen = '';
    // Once for each request, its body included.
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      if (!seen.endsWith('}')) return;
      seen = '';
      behave(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}
