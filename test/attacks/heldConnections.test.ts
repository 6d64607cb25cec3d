/** Connections and half-sent bodies that are only held cost the node a bounded share, and a caller who asks is answered. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

interface Held {
  readonly socket: Socket;
  /** What the node has sent. */
  text(): string;
  /** Whether the node has closed it. */
  closed(): boolean;
}

async function hold(world: World, sent = ''): Promise<Held> {
  const socket = connect(Number(new URL(world.node.address).port), '127.0.0.1');
  let text = '';
  let closed = false;
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    closed = true;
  });
  await once(socket, 'connect');
  socket.write(sent);
  return { socket, text: () => text, closed: () => closed };
}

async function worldOf(t: TestContext, engine: (typeof engines)[number], env: Record<string, string>): Promise<World> {
  const world = await makeWorld(engine, env);
  t.after(() => world.close());
  return world;
}

const engines = everyEngine();
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

for (const engine of engines) {
  describe(`connections that are only held on ${engine.name}`, () => {
    for (const [what, env] of [
      ['of one address', { MAX_SOCKETS_PER_ADDRESS: '8' }],
      ['of all addresses together', { MAX_SOCKETS: '8', MAX_SOCKETS_PER_ADDRESS: '2', TRUSTED_PROXIES: '127.0.0.0/8' }],
    ] as const) {
      test(`${what} are so many and no more; a further one is told 503 and closed`, async (t) => {
        const world = await worldOf(t, engine, env);
        const held: Held[] = [];
        for (let i = 0; i < 12; i++) held.push(await hold(world));
        await until('four of them are turned away', async () => held.filter(({ closed }) => closed()).length >= 4);
        const refused = held.filter(({ closed }) => closed());
        for (const { text } of refused) {
          assert.match(text(), /^HTTP\/1\.1 503 /);
          assert.match(text(), /^Connection: close\r$/m);
          assert.match(text(), /"code":"UNAVAILABLE"/);
        }
        assert.ok(refused.length <= 6, 'the node’s own callers hold a connection or two');
        assert.equal((await world.rest('GET', '/ap2/agents')).status, 200, 'a connection from before is served');
        for (const { socket } of held) socket.destroy();
        await until('a place is free again', async () => {
          const { socket, text } = await hold(world, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
          await Promise.race([once(socket, 'close'), once(socket, 'data')]);
          socket.destroy();
          return text().startsWith('HTTP/1.1 200');
        });
      });
    }

    test('give their places to who comes, once nothing whole has come on them for a second; an answer under way keeps its own', async (t) => {
      const world = await worldOf(t, engine, {
        MAX_SOCKETS: '8',
        MAX_SOCKETS_PER_ADDRESS: '2',
        TRUSTED_PROXIES: '127.0.0.0/8',
      });
      const request = 'Host: localhost\r\nConnection: keep-alive\r\n';
      const poll = await hold(
        world,
        `GET /ap2/admin/events?wait=4 HTTP/1.1\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n${request}\r\n`,
      );
      const sent = ['', 'GET /healthz HT', head('/ap2/intents', 100)];
      const held = await Promise.all([...sent, ...sent].map((text) => hold(world, text)));
      for (const { socket } of held) t.after(() => socket.destroy());
      await until('a new caller is served', async () => {
        const { socket, text } = await hold(world, `GET /healthz HTTP/1.1\r\n${request}\r\n`);
        t.after(() => socket.destroy());
        await Promise.race([once(socket, 'close'), once(socket, 'data')]);
        return text().startsWith('HTTP/1.1 200') && held.every(({ closed }) => closed());
      });
      await until('the one that waited for its answer has it', async () => poll.text().startsWith('HTTP/1.1 200'));
      poll.socket.destroy();
    });

    test('with half-sent bodies hold so many bytes and no more: the oldest give way to who sends its body whole', async (t) => {
      const world = await worldOf(t, engine, { MAX_RECEIVING_BYTES: '1048576' });
      const half = ' '.repeat(200_000);
      const held: Held[] = [];
      for (let i = 0; i < 8; i++) {
        const path = i % 2 === 0 ? '/ap2/intents' : '/a2a/gateway';
        held.push(await hold(world, head(path, 250_000) + half));
      }
      await until('three of them are refused', async () => held.filter(({ closed }) => closed()).length >= 3);
      for (const { text, closed } of held) {
        if (!closed()) continue;
        assert.match(text(), /^HTTP\/1\.1 503 /);
        assert.match(text(), /^connection: close\r$/im);
        assert.match(text(), /^retry-after: 1\r$/im);
      }
      const large = JSON.stringify({ ...world.intentBody(5), padding: ' '.repeat(200_000) });
      assert.equal((await world.rest('POST', '/ap2/intents', large)).body.allowed, true);
      for (const { socket } of held) socket.destroy();
    });
  });
}
