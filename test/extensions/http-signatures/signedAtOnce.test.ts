/** Two nodes of one database sign at once: by one key, each with a nonce of its own, all in one chain. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countersign } from '../../../client/index.ts';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, type Loose, makeWorld, SHOP } from '../../support/world.ts';

for (const engine of everyEngine()) {
  test(`twenty requests at once on two nodes with ${engine.name}`, async () => {
    const world = await makeWorld(engine);
    const other = await world.another();
    try {
      const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(10))).body;
      const { mandateId: intentId } = intentVc.credentialSubject;
      const there = countersign({ baseUrl: other.address, credential: { apiKey: ADMIN_KEY } });
      const signed = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? world.client : there).signHttpRequest({
            intentId,
            method: 'GET',
            url: `https://${SHOP}/tea/${index}`,
            profile: 'tap',
          }),
        ),
      );
      assert.equal(new Set(signed.map(({ nonce }) => nonce)).size, 20);
      assert.equal(new Set(signed.map(({ keyid }) => keyid)).size, 1);
      const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=HTTP_SIGNED&limit=50')).body;
      const told = data.map(({ data: facts }: Loose) => facts.nonce).sort();
      assert.deepEqual(told, signed.map(({ nonce }) => nonce).sort());
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
    } finally {
      await other.stop();
      await world.close();
    }
  });
}
