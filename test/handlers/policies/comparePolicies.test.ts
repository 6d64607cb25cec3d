/** A draft is compared with the current policy over REST: what changes, and whether anything becomes looser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine, type Loose, makeWorld, type World } from '../../support/world.ts';

const PATH = '/ap2/policies/compare';

for (const engine of everyEngine()) {
  describe(`a comparison over REST on ${engine.name}`, () => {
    let world: World;
    let rules: Loose;
    before(async () => {
      world = await makeWorld(engine);
      rules = (await world.rest('GET', '/ap2/policies/current')).body.rules;
    });
    after(() => world.close());

    test('is with the current policy unless it is with another draft', async () => {
      const same = await world.rest('POST', PATH, { next: rules });
      assert.deepEqual(same.body, { looser: false, changes: [] });
      const next = { ...rules, spend: { ...rules.spend, amount_cap: rules.spend.amount_cap + 50 } };
      const { looser, changes } = (await world.rest('POST', PATH, { next })).body;
      assert.deepEqual([looser, changes.length, changes[0].sentence], [true, 1, 'cap 100 → 150 USD']);
      const back = (await world.rest('POST', PATH, { former: next, next: rules })).body;
      assert.deepEqual([back.looser, back.changes[0].direction], [false, 'tighter']);
    });

    test('names what is wrong with a draft, and takes the permission read', async () => {
      const wrong = await world.rest('POST', PATH, { next: { version: '2.0', spend: { cap: 1 } } });
      assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'next.spend.cap']);
      const { key } = await world.client.createApiKey({ name: 'writer', permissions: ['write'] });
      const refused = await world.rest('POST', PATH, { next: rules }, { Authorization: `Bearer ${key}` });
      assert.equal(refused.status, 403);
    });
  });
}
