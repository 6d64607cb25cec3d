/** Limits that hold for each agent cannot be multiplied by making more agents. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`agents on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    test('are registered with an admin credential only; a key that may buy cannot make another buyer', async () => {
      const { key } = await world.client.createApiKey({ name: 'shop', permissions: ['read', 'write'] });
      const headers = { Authorization: `Bearer ${key}` };
      const body = { name: 'One more', publicKey: makePeer().publicKey };
      const reply = await world.rest('POST', '/ap2/agents', body, headers);
      assert.equal(reply.status, 403);
      assert.match(reply.body.error.message, /needs the permission "admin"/);
      assert.equal((await world.rest('POST', '/ap2/agents', body)).status, 201);
    });
  });
}
