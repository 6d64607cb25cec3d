/** A policy is written only over the version that its writer has seen, where they say which one that is. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const rules = (amount_cap: number) => ({ version: '2.0', spend: { amount_cap, currency: 'USD' } });

for (const engine of everyEngine()) {
  describe(`a policy that two people write, on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const current = async (): Promise<Loose> => (await world.rest('GET', '/ap2/policies/current')).body;
    const put = (id: string, body: object) => world.rest('PUT', `/ap2/admin/policies/${id}`, body);

    test('of two that write over the same version one is told of the other, and writes nothing', async () => {
      const { id, version } = await current();
      const ifCurrent = { id, version };
      const replies = await Promise.all([11, 12].map((cap) => put(id, { rules: rules(cap), ifCurrent })));
      const [written, refused] = replies.sort((one, other) => one.status - other.status);
      assert.deepEqual([written?.status, refused?.status], [200, 409]);
      assert.equal(refused?.body.error.code, 'CONFLICT');
      assert.equal(
        refused?.body.error.message,
        `Version ${version + 1} of ${id} is current by now. Look at what it says before you write over it.`,
      );
      assert.deepEqual((await current()).rules, written?.body.rules);
      assert.equal((await put(id, { rules: rules(13), ifCurrent: { id, version: version + 1 } })).status, 200);
      assert.equal((await put(id, { rules: rules(14) })).status, 200, 'who names none is asked for none');
    });

    test('a new policy does not take the place of one that its writer has not seen', async () => {
      const { id, version } = await current();
      for (const ifCurrent of [null, { id, version: version - 1 }, { id: 'pol_x', version }]) {
        const refused = await world.rest('POST', '/ap2/admin/policies', { name: 'New', rules: rules(1), ifCurrent });
        assert.equal(refused.status, 409, refused.text);
      }
      const body = { name: 'New', rules: rules(1), ifCurrent: { id, version } };
      const created = await world.rest('POST', '/ap2/admin/policies', body);
      assert.equal(created.status, 201, created.text);
      // The policy that was current before is not, and its next version would not be either.
      assert.equal((await put(id, { rules: rules(2), ifCurrent: { id, version } })).status, 409);
      assert.equal((await current()).id, created.body.id);
    });
  });
}
