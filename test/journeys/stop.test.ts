/** A node that is asked to stop: what is in flight gets its answer, and its caller is told that the connection ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { beginRequest } from '../support/begunRequest.ts';
import { startChild } from '../support/child.ts';
import { everyEngine } from '../support/engines.ts';
import { makeMessage, makePeer } from '../support/peer.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

/** The answers of one connection, until its end. */
function answersOf(port: number): { readonly write: (text: string) => Promise<void>; readonly all: Promise<string[]> } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  const all = new Promise<string[]>((resolve) => {
    socket.once('error', () => resolve([]));
    socket.once('close', () => resolve(text.match(/HTTP\/1\.1 \d+/g) ?? []));
  });
  const write = (request: string) =>
    new Promise<void>((resolve, reject) => socket.write(request, (error) => (error ? reject(error) : resolve())));
  return { write, all };
}

test('a node that is asked to stop answers every request that has reached the machine before', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-stop-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const node = await startChild({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY });
  t.after(() => node.kill());
  const port = Number(new URL(node.address).port);
  const body = JSON.stringify({ payerDid: makePeer().did, domain: 'shop.example', amount: 5, currency: 'USD' });
  const request = [
    'POST /ap2/demo/cart HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${ADMIN_KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  const used = Array.from({ length: 10 }, () => answersOf(port));
  for (const { write } of used) await write(request);
  // It takes no connection and reads no byte until it is woken, with the signal already there.
  node.halt();
  const fresh = Array.from({ length: 30 }, () => answersOf(port));
  for (const { write } of fresh) await write(request);
  for (const { write } of used) await write(request + request);
  const stopped = node.stop();
  node.wake();
  for (const { all } of fresh) assert.deepEqual(await all, ['HTTP/1.1 200']);
  for (const { all } of used) assert.deepEqual(await all, Array(3).fill('HTTP/1.1 200'));
  assert.equal(await stopped, 0);
});

const begin = (world: World, path: string, body: string) => beginRequest(world.node.address, ADMIN_KEY, path, body);

for (const engine of everyEngine()) {
  describe(`a node on ${engine.name} that is asked to stop`, () => {
    test('answers what is in flight over both gates, and says that the connection ends with it', async () => {
      const world = await makeWorld(engine);
      const content = { type: 'IntentMandate', to: world.node.deps.issuer.did, body: world.intentBody(1) };
      const params = { message: makeMessage(world.agent, content) };
      const begun = [
        await begin(world, '/ap2/intents', JSON.stringify(world.intentBody(1))),
        await begin(world, '/a2a/gateway', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a2a/message', params })),
      ];
      const closing = world.close();
      for (const answer of await Promise.all(begun.map((request) => request.finish()))) {
        assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
        assert.match(answer, /^connection: close\r$/im);
        assert.match(answer, /"allowed":true/);
      }
      await closing;
    });

    test('ends within its limit where the store does not answer, and says what it waited for', async () => {
      const world = await makeWorld(engine);
      const node = await world.another(1500);
      const { store } = node.deps;
      const { write } = store;
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      store.write = async (tenantId, script) => {
        await held;
        return write.call(store, tenantId, script) as never;
      };
      // A round of its workers is under way, or its last records are being written.
      await assert.rejects(node.stop(), /within 1\.5 s; it still waited for .*Nothing is lost/);
      letGo();
      await store.close();
      await world.close();
    });

    test('does not wait for a connection that has asked for nothing', async () => {
      const world = await makeWorld(engine);
      const silent = connect(Number(new URL(world.node.address).port), '127.0.0.1');
      await once(silent, 'connect');
      const closed = once(silent, 'close');
      const content = JSON.stringify(world.intentBody(1));
      const begun = await begin(world, '/ap2/intents', content);
      const closing = world.close();
      await closed;
      assert.match(await begun.finish(), /^HTTP\/1\.1 200 OK\r\n/, 'it was closed while a request was in flight');
      await closing;
    });
  });
}
