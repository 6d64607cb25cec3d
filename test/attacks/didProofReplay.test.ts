/** A captured X-DID-Proof does not work a second time, even where the replay claims to be new. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof } from '../support/peer.ts';
import { makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a captured DID proof on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    test('is refused when its request is sent again under the same X-Request-Id', async () => {
      const body = JSON.stringify(world.intentBody(1));
      const request = { method: 'POST', path: '/ap2/intents', baseUrl: world.node.baseUrl, body };
      const headers = {
        'Content-Type': 'application/json',
        'X-DID-Proof': makeDidProof(world.agent, request),
        'X-Request-Id': 'the-same-request',
      };
      const first = await fetch(`${world.node.address}/ap2/intents`, { method: 'POST', headers, body });
      assert.equal(first.status, 200, await first.text());
      const replays = await Promise.all(
        Array.from({ length: 20 }, () => fetch(`${world.node.address}/ap2/intents`, { method: 'POST', headers, body })),
      );
      assert.deepEqual([...new Set(replays.map(({ status }) => status))], [401]);
    });
  });
}
