/** The HTTP server of a witness. What a client may cost it is bounded: connections, headers, bodies, time and requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { rateLimiter } from '../../../access/rateLimit.ts';
import { addressPlaces, countedAddress } from './addressPlaces.ts';
import type { Witness, WitnessReply } from './openWitness.ts';

/** Room for 63 hashes, and for 16 signatures of the longest kind there is. */
const MAX_BODY_BYTES = 128 * 1024;
const MAX_CONNECTIONS = 256;
/** More than a node opens, which asks for 20 chains side by side. */
const MAX_CONNECTIONS_PER_ADDRESS = 32;
/** More than a log ever sends; addresses of this machine are not counted, since a proxy may be behind them. */
const RATE = { perMinute: 300, burst: 100 } as const;
const ADDRESSES = 10_000;
const REQUEST_MS = 15_000;
/** What is in flight may take this long when the witness is asked to stop. */
const STOP_MS = 5000;

type LogLine = (event: string, facts: Readonly<Record<string, unknown>>) => void;

interface ServeOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Milliseconds since the epoch. */
  clock(): number;
  readonly log: { readonly info: LogLine; readonly error: LogLine };
}

interface ServedWitness {
  /** Where it listens, such as http://127.0.0.1:8403. */
  readonly address: string;
  /** Takes nothing more, and resolves when what was in flight is answered. */
  stop(): Promise<void>;
}

/** @throws Error when the port cannot be had */
export async function serveWitness(witness: Witness, options: ServeOptions): Promise<ServedWitness> {
  const limits = rateLimiter(RATE, ADDRESSES);
  const server = createServer(
    { maxHeaderSize: 8192, headersTimeout: 10_000, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 },
    (request, response) => {
      const from = countedAddress(request.socket);
      const isFree = from === undefined || limits.charge(from, 'free', options.clock()).allowed;
      const answered = isFree ? answer(witness, request, options) : Promise.resolve(plain(429, 'Too many requests.'));
      answered.then((given) => send(response, given)).catch(() => response.destroy());
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  const places = addressPlaces(MAX_CONNECTIONS_PER_ADDRESS);
  server.on('connection', (socket: Socket) => {
    if (!places.take(socket)) socket.destroy();
  });
  await listen(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    address: `http://${host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // The server has stopped timing those that send slowly.
        setTimeout(() => server.closeAllConnections(), STOP_MS).unref();
      }),
  };
}

async function answer(witness: Witness, request: IncomingMessage, options: ServeOptions): Promise<WitnessReply> {
  const path = request.url ?? '';
  if (path === '/add-checkpoint') {
    if (request.method !== 'POST') return plain(405, 'A checkpoint is added by POST.');
    const body = await readBody(request);
    return typeof body === 'string' ? added(witness, body, options) : body;
  }
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
  if (hash === undefined)
    return plain(404, 'There are POST /add-checkpoint and GET /<SHA-256 of the origin>/checkpoint.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'A checkpoint is read by GET.');
  const latest = witness.latest(hash);
  if (latest === undefined) return plain(404, 'This witness has cosigned no checkpoint of that log.');
  return { status: 200, contentType: 'text/plain; charset=utf-8', body: latest };
}

function added(witness: Witness, body: string, { log }: ServeOptions): WitnessReply {
  try {
    return witness.add(body, ({ level, event, facts }) => log[level](event, facts));
  } catch (error) {
    log.error('state.unwritten', { error: String(error) });
    return plain(500, 'What was seen could not be recorded, so nothing was cosigned.');
  }
}

/** @returns the text of a body, or the answer to one that is too long or no UTF-8 */
async function readBody(request: IncomingMessage): Promise<string | WitnessReply> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_BODY_BYTES) return plain(413, `A request must have at most ${MAX_BODY_BYTES} bytes.`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    return plain(400, 'A request must be UTF-8.');
  }
}

function send(response: ServerResponse, { status, contentType, body }: WitnessReply): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    // What is left of a body that is too long is not read.
    ...(status === 413 ? { connection: 'close' } : {}),
    ...(status === 405 ? { allow: 'POST, GET' } : {}),
  });
  response.end(body);
}

function plain(status: number, sentence: string): WitnessReply {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${sentence}\n` };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
