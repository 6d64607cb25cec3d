/** A name that every JavaScript object inherits is a name like any other, wherever a caller may put one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { type JsonObject, makeCart } from '../support/peer.ts';
import { approve } from '../support/purchase.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const NAMES = ['toString', 'constructor', 'hasOwnProperty', '__proto__', 'valueOf'];
/** `__proto__` as the name of a member is refused before anything reads it. */
const MEMBERS = NAMES.filter((name) => name !== '__proto__');

for (const engine of everyEngine()) {
  describe(`an inherited name on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    test('is no test card: the rail declines it, through both gates', async () => {
      for (const instrument of NAMES) {
        const body = { approvalToken: await approve(world, 5), instrument };
        const paid = await world.rest('POST', '/ap2/payments/mandate', body);
        assert.equal(paid.status, 200, paid.text);
        assert.equal(paid.body.railResponse.error.code, 'resource_missing', paid.text);
        const said = await world.say('PaymentMandate', { approvalToken: await approve(world, 5), instrument });
        assert.equal(said.result?.message.body.railResponse.error.code, 'resource_missing', JSON.stringify(said));
      }
    });

    test('is shown on the approval page where a merchant signed it', async () => {
      const items = [{ name: 'Tea', price: 150, quantity: 1 }];
      const members = Object.fromEntries(MEMBERS.map((name) => [name, `the ${name}`]));
      const offer = { domain: SHOP, items, total: 150, currency: 'USD', ...members };
      const cartVc: JsonObject = makeCart(world.merchant, offer);
      const agent = await world.newAgent('fresh');
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(150, { agent }));
      const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc });
      assert.ok(cart.body.approval !== undefined, cart.text);
      const page = await world.rest('GET', `/approve/${cart.body.approval.id}/purchase`, undefined, {});
      assert.equal(page.status, 200, page.text);
      assert.deepEqual(
        page.body.details,
        MEMBERS.map((name) => ({ name, value: `the ${name}` })),
      );
    });

    test('gets the same answer as any other unknown name', async () => {
      const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };
      for (const name of NAMES) {
        const tries: readonly (readonly [string, string, Loose, number])[] = [
          ['POST', '/ap2/intents', { ...world.intentBody(5), request: { maxAmount: 5, currency: name } }, 400],
          ['POST', '/ap2/admin/policies', { name: 'x', rules: { ...rules, [name]: 1 } }, 400],
          ['POST', '/ap2/admin/policies', { name: 'x', rules: { ...rules, spend: { categories: [name] } } }, 400],
          [
            'POST',
            '/ap2/policies/simulate',
            { rules: { ...rules, rails: { allow: [name] } }, request: { amount: 5, currency: 'USD' } },
            200,
          ],
          ['POST', '/ap2/admin/webhooks', { url: 'https://receiver.example', events: [name] }, 400],
          ['POST', '/ap2/admin/api-keys', { name: 'x', permissions: [name] }, 400],
          ['POST', '/ap2/admin/api-keys', { name: 'x', permissions: ['read'], tier: name }, 400],
          ['GET', `/ap2/payments/${name}`, undefined, 404],
          ['GET', `/ap2/payments?${name}=1`, undefined, 400],
          ['GET', `/ap2/payments?status=${name}`, undefined, 400],
          ['GET', `/ap2/evidence/export?format=${name}`, undefined, 400],
          ['GET', `/ap2/evidence/search?eventType=${name}`, undefined, 200],
          ['GET', `/${name}`, undefined, 404],
        ];
        for (const [method, path, body, status] of tries) {
          const reply = await world.rest(method, path, body);
          assert.equal(reply.status, status, `${method} ${path} ${JSON.stringify(body)}: ${reply.text}`);
        }
        const said = await world.say(name, {});
        assert.equal(said.error?.code, -32602, JSON.stringify(said));
        const called = await world.rpc({ jsonrpc: '2.0', id: 1, method: name, params: {} });
        assert.equal(called.body.error?.code, -32601, called.text);
      }
    });
  });
}
