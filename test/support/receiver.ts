/** A webhook receiver: a real HTTP server that keeps what it got, checks signatures by code of its own, and misbehaves on request. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Loose } from './world.ts';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  readonly raw: string;
  readonly bytes: Buffer;
  readonly event: Loose;
  readonly at: number;
}

export interface Receiver {
  /** http://127.0.0.1:port */
  readonly url: string;
  readonly received: Received[];
  /** Connections accepted so far. */
  connections(): number;
  /** What it does with a request, its body read; 200 when not set. */
  answer: (response: ServerResponse, received: Received) => void;
  /** Resolves with what fits, once there are so many of it. */
  wait(count: number, fits?: (received: Received) => boolean, patienceMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(make: (listener: Parameters<typeof createServer>[1]) => Server = createServerOf) {
  let connections = 0;
  const received: Received[] = [];
  const server = make((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const raw = bytes.toString('utf8');
      const { headers, url: path = '' } = request;
      const entry = { headers, path, raw, bytes, event: parsed(raw), at: Date.now() };
      received.push(entry);
      receiver.answer(response, entry);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => connections,
    answer: (response) => response.end('ok'),
    async wait(count, fits = () => true, patienceMs = 10_000) {
      for (let waited = 0; ; waited += 10) {
        const found = received.filter(fits);
        if (found.length >= count) return found;
        if (waited >= patienceMs) throw new Error(`${found.length} of ${count} arrived within ${patienceMs} ms.`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

function createServerOf(listener: Parameters<typeof createServer>[1]): Server {
  return createServer({ keepAliveTimeout: 60_000 }, listener as never);
}

function parsed(raw: string): Loose {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** `X-Service-Signature`, checked as its specification says: HMAC-SHA256 of the raw body, in constant time. */
export function isSigned({ headers, raw }: Received, secret: string, name = 'x-service-signature'): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(String(headers[name]));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The Standard Webhooks headers, checked as https://www.standardwebhooks.com says. */
export function isSignedByStandard({ headers, raw }: Received, secret: string, now = Date.now()): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(now / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${raw}`).digest('base64');
  return String(signatures)
    .split(' ')
    .some((each) => each === `v1,${expected}`);
}
