/** Amounts that add up to more than a number carries neither lock an agent out nor let one through. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

/** One minor unit below what is refused as too large. */
const MOST = 9_999_999_999_999.99;

for (const engine of everyEngine()) {
  describe(`sums beyond exact numbers on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const limit = async (velocity_limit: object) => {
      const rules = { version: '2.0', risk: { velocity_limit: { time_window: '24h', ...velocity_limit } } };
      const made = await world.rest('POST', '/ap2/admin/policies', { name: 'A window', rules });
      assert.equal(made.status, 201, made.text);
    };
    const ask = () => world.rest('POST', '/ap2/intents', world.intentBody(MOST));

    test('and one amount that a number does not carry exactly is refused, wherever it comes', async () => {
      await limit({ max_transactions: 100 });
      for (const amount of [1e13, 70_368_744_177_664.02, 1e300]) {
        const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount));
        assert.deepEqual([intent.status, intent.body.error?.code], [400, 'BAD_REQUEST'], intent.text);
        assert.match(intent.text, /at most 9,999,999,999,999\.99 USD/);
        const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(MOST));
        const cart = { intentVc: body.intentVc, cartVc: world.cart(amount) };
        assert.equal((await world.rest('POST', '/ap2/carts/validate', cart)).status, 400);
        const token = { merchantDomain: 'shop.example', amount, currency: 'USD' };
        assert.equal((await world.rest('POST', '/admin/spt', token)).status, 400);
        const offer = { domain: 'shop.example', amount, currency: 'USD' };
        assert.equal((await world.rest('POST', '/ap2/demo/cart/ap2', offer)).status, 400);
      }
    });

    test('are counted up to the end, and refuse what a limit on amounts refuses', async () => {
      await limit({ max_transactions: 100 });
      for (let i = 0; i < 12; i++) assert.equal((await ask()).body.allowed, true);
      for (let i = 0; i < 12; i++) await purchase(world, MOST);
      await limit({ max_transactions: 100 });
      assert.equal((await ask()).body.allowed, true, 'after the windows were counted anew');
      await limit({ max_amount: 1000 });
      const refused = await ask();
      assert.deepEqual(refused.body.reasonCodes, ['SPENDING_LIMIT_EXCEEDED'], refused.text);
      const small = await world.rest('POST', '/ap2/intents', world.intentBody(1));
      assert.deepEqual(small.body.reasonCodes, ['SPENDING_LIMIT_EXCEEDED'], small.text);
    });

    test('of shared payment tokens are shown as far as a number goes', async () => {
      for (let i = 0; i < 10; i++) {
        const token = { merchantDomain: 'shop.example', amount: MOST, currency: 'USD', expiresIn: 300 };
        assert.equal((await world.rest('POST', '/admin/spt', token)).status, 201);
      }
      const overview = await world.rest('GET', '/admin/spt/stats/overview');
      assert.equal(overview.status, 200, overview.text);
      assert.equal(overview.body.active, 10);
      assert.equal(overview.body.amounts.USD.active, Number.MAX_SAFE_INTEGER / 100);
    });
  });
}
