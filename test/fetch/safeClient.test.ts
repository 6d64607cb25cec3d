/** What an exchange with a misbehaving server ends in: always in time, never with more than was asked for. */
import assert from 'node:assert/strict';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { buildConnector } from 'undici';
import type { Dial } from '../../src/fetch/connector.ts';
import { type HttpExchange, safeClient } from '../../src/fetch/safeClient.ts';
import { CERTIFICATE, CERTIFICATE_KEY, TEST_AUTHORITY } from '../support/certificate.ts';

/** More than a busy machine needs for an answer; the tests of the time limit set their own. */
const LIMITS = { timeoutMs: 5000, maxAnswerBytes: 1000, keptBytes: 100 };
const BRIEF = { timeoutMs: 300 };
const closing: (() => void)[] = [];
after(() => {
  for (const close of closing) close();
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Asks a server that does this with a connection once a request has come. */
async function ask(behave: (socket: Socket) => void, limits: Partial<typeof LIMITS> = {}): Promise<HttpExchange> {
  const port = await listening(createServer((socket) => socket.once('data', () => behave(socket))));
  const client = safeClient({ ...LIMITS, ...limits, allowPrivate: true });
  closing.push(() => void client.close());
  return client.exchange({ method: 'POST', url: new URL(`http://127.0.0.1:${port}/hook`), headers: {}, body: '{}' });
}

const head = (length: number, status = '200 OK') => `HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n\r\n`;

describe('an exchange', () => {
  test('gives status and answer', async () => {
    const { status, answer, failure, overlong, durationMs } = await ask((socket) => socket.end(`${head(5)}hello`));
    assert.deepEqual([status, answer.toString(), failure, overlong], [200, 'hello', undefined, false]);
    assert.ok(durationMs > 0 && durationMs < 5000);
  });

  test('follows no redirect', async () => {
    let connections = 0;
    const port = await listening(
      createServer(() => {
        connections += 1;
      }),
    );
    const location = `HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`;
    // What is given back is the redirect itself: a client that followed it would have been given the other answer.
    assert.equal((await ask((socket) => socket.write(location))).status, 307);
    assert.equal(connections, 0);
  });

  test('ends when its time is up: before an answer, within it, and however slowly it drips', async () => {
    const silent = await ask(() => {}, BRIEF);
    assert.deepEqual([silent.status, silent.failure], [0, 'timeout']);
    const stuck = await ask((socket) => socket.write(`${head(100)}part`), BRIEF);
    assert.deepEqual([stuck.status, stuck.failure, stuck.answer.toString()], [200, 'timeout', 'part']);
    const drip = await ask((socket) => {
      socket.write(head(1000));
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    }, BRIEF);
    assert.deepEqual([drip.status, drip.failure], [200, 'timeout']);
    const slowHead = await ask((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 200 OK\r\n'.charAt(0)), 20);
      socket.on('close', () => clearInterval(timer));
    }, BRIEF);
    assert.equal(slowHead.failure === 'timeout' || slowHead.failure === 'protocol', true);
    for (const { durationMs } of [silent, stuck, drip])
      assert.ok(durationMs >= 295 && durationMs < 4000, `${durationMs}`);
  });

  test('takes an answer that comes just in time', async () => {
    const { status, failure } = await ask((socket) => setTimeout(() => socket.end(`${head(2)}ok`), 250));
    assert.deepEqual([status, failure], [200, undefined]);
  });

  test('reads no more than it may, and keeps less', async () => {
    let written = 0;
    const huge = await ask((socket) => {
      socket.write(head(1e9));
      const more = () => {
        for (;;) {
          written += 65_536;
          if (!socket.write(Buffer.alloc(65_536, 'x'))) return;
        }
      };
      socket.on('drain', more);
      more();
    });
    assert.deepEqual([huge.status, huge.failure, huge.overlong, huge.answer.length], [200, undefined, true, 100]);
    assert.ok(written < 50_000_000, `${written} bytes were taken from it`);
  });

  test('names what went wrong', async () => {
    const reset = await ask((socket) => socket.resetAndDestroy());
    assert.deepEqual([reset.status, reset.failure], [0, 'reset']);
    const closed = await ask((socket) => socket.end());
    assert.deepEqual([closed.status, closed.failure], [0, 'reset']);
    const truncated = await ask((socket) => socket.end(`${head(100)}part`));
    assert.deepEqual([truncated.status, truncated.failure], [200, 'truncated']);
    const garbage = await ask((socket) => socket.end('220 smtp.example ESMTP\r\n'));
    assert.equal(garbage.failure, 'protocol');
    const wide = await ask((socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`));
    assert.equal(wide.failure, 'protocol');
  });

  test('names a name without an address, and a port without a server', async () => {
    const nowhere = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    const lost = safeClient({ ...LIMITS, allowPrivate: false, resolve: nowhere });
    closing.push(() => void lost.close());
    const request = (url: string) => ({ method: 'GET' as const, url: new URL(url), headers: {} });
    assert.equal((await lost.exchange(request('https://nowhere.example/'))).failure, 'dns');
    const port = await listening(createServer());
    for (const close of closing.splice(-1)) close();
    const local = safeClient({ ...LIMITS, allowPrivate: true });
    closing.push(() => void local.close());
    assert.equal((await local.exchange(request(`http://127.0.0.1:${port}/`))).failure, 'refused');
  });
});

describe('TLS of an exchange', () => {
  async function secured(): Promise<number> {
    const server = createSecureServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (request, response) => {
      response.end(`${request.headers.host} by ${(request.socket as unknown as { servername: string }).servername}`);
    });
    server.on('tlsClientError', () => {});
    return listening(server);
  }

  /** Goes to this machine wherever it was sent, with everything else as it would be in earnest. */
  function homeward(port: number, ca?: string): Dial {
    const dial = buildConnector({ timeout: 1000, ...(ca === undefined ? {} : { ca }) });
    return (target, callback) => {
      assert.equal(target.hostname, '93.184.216.34');
      const httpSocket = connect(port, '127.0.0.1');
      httpSocket.on('error', () => {});
      dial({ ...target, httpSocket }, callback);
    };
  }

  const resolve = async () => ['93.184.216.34'];
  const get = (client: ReturnType<typeof safeClient>, url: string) =>
    client.exchange({ method: 'GET', url: new URL(url), headers: {} });

  test('is asked for and verified by the name, though the connection goes to an address', async () => {
    const port = await secured();
    const client = safeClient({ ...LIMITS, allowPrivate: false, resolve, dial: homeward(port, TEST_AUTHORITY) });
    closing.push(() => void client.close());
    const good = await get(client, 'https://merchant.example/');
    assert.deepEqual([good.failure, good.answer.toString()], [undefined, 'merchant.example by merchant.example']);
    assert.equal((await get(client, 'https://other.example/')).failure, 'tls', 'a certificate for another name');
  });

  test('fails on a certificate of no trusted authority', async () => {
    const client = safeClient({ ...LIMITS, allowPrivate: false, resolve, dial: homeward(await secured()) });
    closing.push(() => void client.close());
    assert.equal((await get(client, 'https://merchant.example/')).failure, 'tls');
  });

  test('fails on a server that speaks none', async () => {
    const port = await listening(createServer((socket) => socket.once('data', () => socket.end(`${head(2)}ok`))));
    const client = safeClient({ ...LIMITS, allowPrivate: false, resolve, dial: homeward(port, TEST_AUTHORITY) });
    closing.push(() => void client.close());
    assert.equal((await get(client, 'https://merchant.example/')).failure, 'tls');
  });
});
