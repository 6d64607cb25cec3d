/** No caller makes the node fetch a merchant's key by a cart that could not be paid even with a valid signature. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Agent, makeAgent, signCart } from '../../client/index.ts';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof, type Peer } from '../support/peer.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a cart of a did:web merchant on ${engine.name}`, () => {
    let world: World;
    const merchant: Agent = makeAgent();
    let fetched: string[] = [];
    before(async () => {
      world = await makeWorld(engine);
      Object.assign(world.node.deps.keys, {
        ofMerchant: async (did: string) => {
          fetched.push(did);
          return merchant.did;
        },
      });
    });
    beforeEach(() => {
      fetched = [];
    });
    after(() => world.close());

    const cartOf = (domain: string, issuer = `did:web:${domain}`): Loose => {
      const items = [{ name: 'Tea', price: 5, quantity: 1 }];
      const cart = signCart(merchant, { domain, currency: 'USD', items }, { issuer: `did:web:${domain}` });
      return { ...cart, issuer };
    };
    async function intentOf(agent: Peer = world.agent): Promise<Loose> {
      const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(50, { agent }));
      assert.equal(body.allowed, true);
      return body.intentVc;
    }
    const validate = (intentVc: Loose, cartVc = cartOf(SHOP), headers?: Record<string, string>) =>
      world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc }, headers);
    async function refused(intentVc: Loose, cartVc: Loose, code: string, why: RegExp): Promise<void> {
      const { body } = await validate(intentVc, cartVc);
      assert.ok(body.reasonCodes?.includes(code), JSON.stringify(body));
      assert.match(body.details.MERCHANT_UNVERIFIED.message, why);
    }

    test('is verified with the key of its domain', async () => {
      const { body } = await validate(await intentOf());
      assert.equal(body.allowed, true, JSON.stringify(body));
      assert.deepEqual(fetched, [`did:web:${SHOP}`]);
    });

    test('is refused unfetched where its intent is unknown, forged or another agent’s, through both gates', async () => {
      const other = await world.newAgent('other');
      const theirs = await intentOf(other);
      const mine = await intentOf();
      const said = await world.say('CartMandate', { intentVc: theirs, cartVc: cartOf(SHOP) });
      assert.match(said.error.message, /cannot act for/);
      const body = JSON.stringify({ intentVc: theirs, cartVc: cartOf(SHOP) });
      const path = '/ap2/carts/validate';
      const proof = makeDidProof(world.agent, { baseUrl: world.node.baseUrl, method: 'POST', path, body });
      assert.equal((await world.rest('POST', path, body, { 'X-DID-Proof': proof })).status, 403);
      const forged = { ...mine, credentialSubject: { ...mine.credentialSubject, maxAmount: 60 } };
      assert.equal((await validate(forged)).status, 400);
      assert.equal((await world.rest('POST', '/ap2/admin/reset-test-data')).status, 204);
      assert.equal((await validate(mine)).status, 404);
      assert.equal((await world.say('CartMandate', { intentVc: mine, cartVc: cartOf(SHOP) })).error.code, -32004);
      assert.deepEqual(fetched, []);
    });

    test('is refused unfetched where its intent or agent can pay nothing, or its signer is not the shop’s', async () => {
      const agent = await world.newAgent('suspended');
      const stopped = await intentOf(agent);
      const path = `/ap2/admin/agents/${encodeURIComponent(agent.did)}/suspend`;
      assert.equal((await world.rest('POST', path, { reason: 'odd' })).status, 200);
      await refused(stopped, cartOf(SHOP), 'AGENT_SUSPENDED', /not fetched, since the agent is SUSPENDED/);
      const elsewhere = cartOf('other.example');
      await refused(await intentOf(), elsewhere, 'MERCHANT_MISMATCH', /not fetched, since the intent names shop/);
      const strange = cartOf(SHOP, 'did:web:stranger.example');
      await refused(
        await intentOf(),
        strange,
        'MERCHANT_UNVERIFIED',
        /stranger\.example is not bound to shop\.example/,
      );
      const late = await intentOf();
      world.clock.aheadMs += 3600 * 1000;
      await refused(late, cartOf(SHOP), 'INTENT_EXPIRED', /not fetched, since the intent is EXPIRED/);
      assert.deepEqual(fetched, []);
    });
  });
}
