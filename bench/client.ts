/**
 * A keep-alive HTTP/1.1 connection that sends one request at a time. It knows only what servers here answer (a
 * Content-Length, no chunks), which keeps it several times cheaper than the servers it is to measure.
 */
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Client {
  post(path: string, body: string): Promise<Answer>;
  close(): void;
}

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export async function openClient(port: number, headers: Readonly<Record<string, string>>): Promise<Client> {
  const socket = await connected(port);
  const fixed = Object.entries({ 'Content-Type': 'application/json', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  let received = Buffer.alloc(0);
  let pending: Pending | undefined;
  const fail = (error: Error) => {
    pending?.reject(error);
    pending = undefined;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = readAnswer(received);
    if (answer === undefined) return;
    received = Buffer.alloc(0);
    pending?.resolve(answer);
  });
  return {
    post: (path, body) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        const length = Buffer.byteLength(body);
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${fixed}Content-Length: ${length}\r\n\r\n${body}`,
        );
      }),
    close: () => void socket.destroy(),
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** The answer, once all of it is there. */
function readAnswer(received: Buffer): Answer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
  if (!Number.isInteger(length)) throw new Error(`An answer without Content-Length:\n${head}`);
  if (received.length < end + 4 + length) return undefined;
  return { status: Number(head.slice(9, 12)), text: received.toString('utf8', end + 4, end + 4 + length) };
}
