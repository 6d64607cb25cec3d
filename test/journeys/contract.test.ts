/** Details of the interface that no longer story covers, each as a caller meets it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`the interface on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
      await purchase(world, 5);
    });
    after(() => world.close());

    test('verifies no range beyond the chain', async () => {
      const { body } = await world.rest('GET', '/ap2/evidence/verify');
      const beyond = await world.rest('GET', `/ap2/evidence/verify?toSeq=${body.toSeq + 1}`);
      assert.equal(beyond.status, 400);
      assert.match(beyond.body.error.message, /^toSeq must not lie after the last event, \d+\.$/);
      const whole = await world.rest('GET', `/ap2/evidence/verify?fromSeq=1&toSeq=${body.toSeq}`);
      assert.equal(whole.body.eventsVerified, body.toSeq);
    });

    test('refuses a body that names another than its path, by both names, and changes neither of them', async () => {
      const [one, other] = [mandateIdOf(await purchase(world, 5)), mandateIdOf(await purchase(world, 6))];
      const path = `/ap2/payments/${one}/capture`;
      const refused = await world.rest('POST', path, { mandateId: other });
      assert.equal(refused.status, 400);
      const message = `is "${other}" in the body and "${one}" in the path; leave it out of the body`;
      assert.equal(refused.body.error.message, `mandateId ${message}.`);
      assert.deepEqual(refused.body.error.details, [{ path: 'mandateId', message }]);
      for (const mandateId of [one, other])
        assert.equal((await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status, 'AUTHORIZED');
      assert.equal((await world.rest('POST', path, { mandateId: { $ne: '' } })).status, 400);
      assert.equal((await world.rest('POST', path, { mandateId: one })).status, 200, 'the same name is right');
    });

    test('binds the did:web of a merchant’s own domain, and of no other', async () => {
      const bind = (domain: string, did: string) => world.rest('POST', '/ap2/admin/merchants', { domain, did });
      const own = await bind('web.example', 'did:web:web.example');
      assert.equal(own.status, 201, own.text);
      assert.equal(own.body.did, 'did:web:web.example');
      const other = await bind('web.example', 'did:web:evil.example');
      assert.equal(other.status, 400);
      assert.match(other.body.error.message, /did:web of the same domain/);
    });

    test('charges the account that any row of the merchant’s domain has', async () => {
      const domain = 'account.example';
      const merchant = makePeer();
      const rows = [
        { domain, did: makePeer().did, railAccountId: 'acct_1' },
        { domain, did: merchant.did },
      ];
      for (const row of rows) assert.equal((await world.rest('POST', '/ap2/admin/merchants', row)).status, 201);
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(10, { domain }));
      const cartVc = world.cart(5, { domain, merchant });
      const { intentVc } = intent.body;
      const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc });
      assert.equal(cart.body.railDecision?.merchantConnected, true, cart.text);
    });

    test('says in the OpenAPI document where the gateway is described', async () => {
      const { body } = await world.rest('GET', '/openapi.json', undefined, {});
      assert.equal(body.externalDocs.url, `${world.node.baseUrl}/openrpc.json`);
      assert.match(body.externalDocs.description, /\/a2a\/gateway/);
    });
  });
}
