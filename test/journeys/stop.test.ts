/** A node that is asked to stop: what is in flight gets its answer, and its caller is told that the connection ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { beginRequest } from '../support/begunRequest.ts';
import { everyEngine } from '../support/engines.ts';
import { makeMessage } from '../support/peer.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

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
