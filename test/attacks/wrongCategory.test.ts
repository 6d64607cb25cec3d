/** What a merchant sells, where it is, and what adds up to a limit is not for the agent to say. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeCart, makePeer } from '../support/peer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const CASINO = 'casino.example';

for (const engine of everyEngine()) {
  describe(`what an agent says of a purchase on ${engine.name}`, () => {
    let world: World;
    const merchant = makePeer();
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const policy = async (rules: object) => {
      const reply = await world.rest('POST', '/ap2/admin/policies', {
        name: 'One',
        rules: { version: '2.0', ...rules },
      });
      assert.equal(reply.status, 201, reply.text);
    };
    const ask = (vendorHints: object, currency = 'USD', maxAmount = 10, agent = world.agent) => {
      const request = { maxAmount, currency, vendorHints };
      return world.rest('POST', '/ap2/intents', { agentDid: agent.did, principalDid: world.principal.did, request });
    };
    const cartAt = (intentVc: Loose) => {
      const items = [{ name: 'Chips', price: 10, quantity: 1 }];
      const cartVc = makeCart(merchant, { domain: CASINO, items, total: 10, currency: 'USD' });
      return world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc });
    };

    test('its category and country give way to the registry’s, at intent, cart and payment', async () => {
      await policy({
        spend: { amount_cap: 1000, currency: 'USD', categories: ['groceries'] },
        context: { geo: { allow: ['DE'] } },
      });
      const lie = { mcc: '5411', country: 'DE' };
      const open = await ask(lie);
      assert.equal(open.body.allowed, true, open.text);
      const early = await ask({ domain: CASINO, ...lie });
      assert.equal(early.body.allowed, true, 'the right category is unknown yet');
      const bound = { domain: CASINO, did: merchant.did };
      const first = await world.rest('POST', '/ap2/admin/merchants', bound);
      const { approvalToken } = (await cartAt(early.body.intentVc)).body;
      assert.ok(approvalToken);
      await world.rest('DELETE', `/ap2/admin/merchants/${first.body.id}`);
      const known = await world.rest('POST', '/ap2/admin/merchants', { ...bound, mcc: '7995', country: 'MT' });
      assert.deepEqual([known.body.mcc, known.body.country], ['7995', 'MT'], known.text);

      const both = ['MCC_DENIED', 'GEO_RESTRICTED'];
      assert.deepEqual((await ask({ domain: CASINO, ...lie })).body.reasonCodes, both);
      assert.deepEqual((await cartAt(open.body.intentVc)).body.reasonCodes, both);
      const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.deepEqual(paid.body.reasonCodes, both, paid.text);
      const message = await world.say('IntentMandate', {
        agentDid: world.agent.did,
        principalDid: world.principal.did,
        request: { maxAmount: 10, currency: 'USD', vendorHints: { domain: CASINO, ...lie } },
      });
      assert.deepEqual(message.error.data.reasonCodes, both);
    });

    test('a category that it leaves out is no way around a strict policy', async () => {
      await policy({
        spend: { amount_cap: 1000, currency: 'USD', categories: ['groceries'], categories_strict: true },
      });
      assert.deepEqual((await ask({})).body.reasonCodes, ['MCC_DENIED']);
      assert.equal((await ask({ mcc: '5411' })).body.allowed, true);
    });

    test('a limit in a currency is not spent in another one, and one without limits each by itself', async () => {
      const limited = { velocity_limit: { max_amount: 100, time_window: '24h' } };
      await policy({ spend: { amount_cap: 100, currency: 'USD' }, risk: limited });
      const dollars = await world.newAgent();
      assert.deepEqual((await ask({}, 'EUR', 5, dollars)).body.reasonCodes, ['CURRENCY_NOT_ALLOWED']);
      await policy({ spend: { amount_cap: 100 }, risk: limited });
      const agent = await world.newAgent();
      const spend = async (currency: string, amount: number) => (await ask({}, currency, amount, agent)).body;
      assert.equal((await spend('USD', 60)).allowed, true);
      assert.deepEqual((await spend('USD', 40.01)).reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
      assert.equal((await spend('KWD', 90)).allowed, true);
      const over = await spend('KWD', 10.001);
      assert.deepEqual(over.reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
      assert.equal(over.details.SPENDING_LIMIT_EXCEEDED.requested, 100.001);
      assert.equal((await spend('KWD', 10)).allowed, true);
      assert.deepEqual((await spend('KWD', 0.001)).reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
    });
  });
}
