/** Receivers that misbehave in every way: each event arrives, or has failed after six attempts, and no other receiver waits. */
import assert from 'node:assert/strict';
import { createServer as createSecureServer } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { type Behave, badServer, HEAD } from '../support/badServer.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificate.ts';
import { everyEngine } from '../support/engines.ts';
import { attempts, HOOKS, subscribe } from '../support/hooks.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { playSlowReceivers } from '../support/slowReceivers.ts';
import { makeWorld, type World } from '../support/world.ts';

/** What a receiver does once a request has come, and what the log calls it. */
const MISBEHAVIOUR: Readonly<Record<string, readonly [status: number, error: string, Behave]>> = {
  'answers 500': [500, 'status', (socket) => socket.end('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n')],
  'answers 404': [404, 'status', (socket) => socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n')],
  'answers 199 forever': [0, 'reset', (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')],
  redirects: [
    302,
    'redirect',
    (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
  ],
  resets: [0, 'reset', (socket) => socket.resetAndDestroy()],
  closes: [0, 'reset', (socket) => socket.end()],
  'truncates its answer': [200, 'truncated', (socket) => socket.end(`${HEAD}100\r\n\r\npart`)],
  'speaks something else': [0, 'protocol', (socket) => socket.end('220 smtp.example ESMTP\r\n')],
};

for (const engine of everyEngine()) {
  describe(`a receiver on ${engine.name} that`, () => {
    let world: World;
    let good: Receiver;
    const closing: (() => void)[] = [];
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
      good = await startReceiver();
    });
    after(async () => {
      for (const close of closing) close();
      await good.close();
      await world.close();
    });

    for (const [name, [status, error, behave]] of Object.entries(MISBEHAVIOUR)) {
      test(`${name} gets each event six times`, async () => {
        const server = await badServer(behave);
        closing.push(server.close);
        const webhook = await subscribe(world, server.url, ['agent.created']);
        await world.newAgent();
        await world.newAgent();
        const logs = await attempts(world, webhook.id, 12);
        for (const id of new Set(logs.map(({ eventId }) => eventId))) {
          const own = logs.filter(({ eventId }) => eventId === id);
          assert.deepEqual(
            own.map(({ attempt }) => attempt),
            [1, 2, 3, 4, 5, 6],
          );
          assert.deepEqual(
            own.map(({ outcome }) => outcome),
            [...Array(5).fill('retrying'), 'failed'],
          );
          for (const log of own) assert.deepEqual([log.status, log.error], [status, error]);
        }
        await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
      });
    }

    test('shows a certificate of no trusted authority gets nothing', async () => {
      let asked = 0;
      const server = createSecureServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (_request, response) => {
        asked += 1;
        response.end();
      });
      server.on('tlsClientError', () => {});
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closing.push(() => server.close());
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const webhook = await subscribe(world, `https://127.0.0.1:${port}/`, ['agent.created']);
      await world.newAgent();
      const logs = await attempts(world, webhook.id, 6);
      assert.deepEqual([...new Set(logs.map((log) => `${log.status} ${log.error}`))], ['0 tls']);
      assert.equal(asked, 0);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('answers far too much has got the event, and little of it is read', async () => {
      let written = 0;
      const server = await badServer((socket) => {
        socket.write(`${HEAD}1000000000\r\n\r\n`);
        const more = () => {
          for (;;) {
            written += 65_536;
            if (!socket.write(Buffer.alloc(65_536, 'x'))) return;
          }
        };
        socket.on('drain', more);
        more();
      });
      closing.push(server.close);
      const webhook = await subscribe(world, server.url, ['agent.created']);
      await world.newAgent();
      const [log] = await attempts(world, webhook.id, 1);
      assert.deepEqual([log.outcome, log.status, log.answer.length], ['delivered', 200, 1024]);
      assert.ok(written < 50_000_000);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('is retried on schedule, and no sooner', async () => {
      const slow = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,1,0,1,0,1' });
      const receiver = await startReceiver();
      receiver.answer = (response) => response.writeHead(500).end();
      try {
        await subscribe(slow, receiver.url, ['agent.created']);
        await slow.newAgent();
        const posts = await receiver.wait(6);
        const gaps = posts.slice(1).map(({ at }, index) => at - (posts[index] as { at: number }).at);
        for (const [index, gap] of gaps.entries()) {
          const least = index % 2 === 0 ? 1000 : 0;
          assert.ok(gap >= least && gap < least + 800, `wait ${index + 1} was ${gap} ms`);
        }
      } finally {
        await receiver.close();
        await slow.close();
      }
    });
  });
}

test('a receiver that takes longer than it may, or drips, has not got the event, and no other receiver waits for it', async () => {
  await playSlowReceivers({ timeoutMs: 2000, marginMs: 500 });
});
