/** What an owner does: agents, policies, merchants; and that it takes effect at once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { approve, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`the owner on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    test('registers an agent once under either spelling of its key, and sees it listed and alone', async () => {
      const peer = makePeer();
      const input = { name: 'Ada', description: 'buys books', capabilities: ['shopping'], publicKey: peer.publicKey };
      const created = await world.rest('POST', '/ap2/agents', input);
      assert.equal(created.status, 201);
      assert.deepEqual(Object.keys(created.body), ['did', 'status', 'displayName', 'createdAt']);
      assert.equal(created.body.did, peer.did);
      const multibase = { ...input, publicKey: peer.did.slice('did:key:'.length) };
      assert.equal((await world.rest('POST', '/ap2/agents', multibase)).status, 409);
      const shown = await world.rest('GET', `/ap2/agents/${peer.did}`);
      assert.equal(shown.body.description, 'buys books');
      assert.deepEqual(shown.body.capabilities, ['shopping']);
      const bare = await world.rest('GET', `/ap2/agents/did:key:${peer.publicKey}`);
      assert.equal(bare.body.did, peer.did);
      const listed = await world.rest('GET', '/ap2/agents?status=ACTIVE&limit=1');
      assert.equal(listed.body.data[0].did, peer.did);
      assert.equal(listed.body.hasMore, true);
      const next = await world.rest('GET', `/ap2/agents?status=ACTIVE&limit=1&cursor=${listed.body.cursor}`);
      assert.notEqual(next.body.data[0].did, peer.did);
    });

    test('revokes an agent for good: its approvals, its intents and its messages end there', async () => {
      const agent = await world.newAgent();
      const approvalToken = await approve(world, 5, { agent });
      const path = `/ap2/admin/agents/${agent.did}`;
      assert.equal((await world.rest('POST', `${path}/revoke`, {})).status, 400, 'a reason is needed');
      const revoked = await world.rest('POST', `${path}/revoke`, { reason: 'lost its key' });
      assert.equal(revoked.body.status, 'REVOKED');
      assert.equal(revoked.body.reason, 'lost its key');
      const payment = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.deepEqual(payment.body.reasonCodes, ['AGENT_REVOKED'], payment.text);
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent }));
      assert.deepEqual(intent.body.reasonCodes, ['AGENT_REVOKED']);
      const message = await world.say('IntentMandate', world.intentBody(5, { agent }), { from: agent });
      assert.equal(message.error.code, -32001);
      assert.equal(message.error.data.code, 'DID_REVOKED');
      const again = await world.rest('POST', `${path}/revoke`, { reason: 'lost its key' });
      assert.equal(again.status, 200, 'the first answer may have been lost');
      assert.deepEqual(again.body, revoked.body);
      assert.equal((await world.rest('POST', `${path}/revoke`, { reason: 'again' })).status, 409);
      assert.equal((await world.rest('POST', `${path}/reactivate`)).status, 409);
      const events = await world.rest('GET', `/ap2/evidence/export?actorDid=${agent.did}`);
      const types = events.body.events.map((event: Loose) => event.eventType);
      assert.deepEqual(types, ['INTENT_ISSUED', 'CART_VALIDATED', 'CART_REJECTED', 'INTENT_DENIED']);
    });

    test('suspends and reactivates an agent once, however often it is asked for', async () => {
      const agent = await world.newAgent();
      const change = (what: string, body = {}) => world.rest('POST', `/ap2/admin/agents/${agent.did}/${what}`, body);
      for (const [what, status] of [
        ['suspend', 'SUSPENDED'],
        ['reactivate', 'ACTIVE'],
      ] as const) {
        const first = await change(what, { reason: 'odd' });
        assert.equal(first.body.status, status);
        assert.deepEqual((await change(what, { reason: 'odd' })).body, first.body);
      }
      await change('suspend', { reason: 'odd' });
      assert.equal((await change('suspend', { reason: 'stolen' })).status, 409);
      await change('revoke', { reason: 'stolen' });
      await change('revoke', { reason: 'stolen' });
      const { events } = (await world.rest('GET', '/ap2/evidence/export')).body;
      const types = events
        .filter(({ data }: Loose) => data.agentDid === agent.did)
        .map((each: Loose) => each.eventType);
      const once = ['AGENT_CREATED', 'AGENT_SUSPENDED', 'AGENT_REACTIVATED', 'AGENT_SUSPENDED', 'AGENT_REVOKED'];
      assert.deepEqual(types, once);
    });

    test('suspends an agent and lets it go on again', async () => {
      const agent = await world.newAgent();
      const path = `/ap2/admin/agents/${agent.did}`;
      assert.equal((await world.rest('POST', `${path}/suspend`, { reason: 'odd' })).body.status, 'SUSPENDED');
      const refused = await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent }));
      assert.deepEqual(refused.body.reasonCodes, ['AGENT_SUSPENDED']);
      assert.equal((await world.rest('POST', `${path}/reactivate`)).body.status, 'ACTIVE');
      assert.equal((await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent }))).body.allowed, true);
    });

    test('gives an agent a limit of its own, by number and by amount', async () => {
      const agent = await world.newAgent();
      const path = `/ap2/admin/agents/${agent.did}/velocity`;
      const limit = { maxTransactions: 2, maxAmount: 50, timeWindow: '1h' };
      const limited = await world.rest('PUT', path, limit);
      assert.deepEqual(limited.body.velocity, limit);
      const ask = (amount: number) => world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }));
      assert.equal((await ask(30)).body.allowed, true);
      const over = await ask(20.01);
      assert.deepEqual(over.body.reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
      assert.equal((await ask(20)).body.allowed, true);
      assert.deepEqual((await ask(1)).body.reasonCodes, ['VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED']);
      assert.equal((await world.rest('PUT', path, { timeWindow: '1h' })).status, 400);
    });

    test('gets back what a declined card and a canceled payment had reserved', async () => {
      const agent = await world.newAgent();
      const limit = { maxAmount: 50, timeWindow: '1h' };
      await world.rest('PUT', `/ap2/admin/agents/${agent.did}/velocity`, limit);
      const declined = await purchase(world, 50, { agent, instrument: 'pm_card_visa_chargeDeclined' });
      assert.equal(declined.railResponse.status, 'failed');
      const paid = await purchase(world, 50, { agent });
      const refused = await world.rest('POST', '/ap2/intents', world.intentBody(1, { agent }));
      assert.deepEqual(refused.body.reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
      const { mandateId } = paid.pmVc.credentialSubject;
      await world.rest('POST', `/ap2/payments/${mandateId}/cancel`);
      assert.equal((await world.rest('POST', '/ap2/intents', world.intentBody(50, { agent }))).body.allowed, true);
    });

    test('changes the policy: a token approved before is judged by the one after', async () => {
      const before = (await world.rest('GET', '/ap2/policies/current')).body;
      const agent = await world.newAgent();
      const approvalToken = await approve(world, 40, { agent });
      const rules = { ...before.rules, spend: { ...before.rules.spend, amount_cap: 10, presence_cap: 30 } };
      const updated = await world.rest('PUT', `/ap2/admin/policies/${before.id}`, { rules });
      assert.equal(updated.status, 200, updated.text);
      assert.equal(updated.body.version, before.version + 1);
      assert.notEqual(updated.body.hash, before.hash);
      const payment = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.deepEqual(payment.body.reasonCodes, ['AMOUNT_OVER_CAP']);
      const simulated = await world.rest('POST', `/ap2/admin/policies/${before.id}/simulate`, {
        request: { amount: 31, currency: 'USD', merchantDomain: 'blocked-merchant.example' },
      });
      assert.equal(simulated.body.allowed, false);
      assert.deepEqual(simulated.body.reasonCodes, ['AMOUNT_OVER_CAP', 'MERCHANT_DENIED']);

      const draft = await world.rest('POST', '/ap2/admin/policies', {
        name: 'Draft',
        rules: before.rules,
        activate: false,
      });
      assert.equal(draft.status, 201);
      assert.equal(draft.body.isActive, false);
      assert.equal((await world.rest('GET', '/ap2/policies/current')).body.id, before.id);
      const still = await world.rest('PUT', `/ap2/admin/policies/${draft.body.id}`, { name: 'Draft 2' });
      assert.equal(still.body.isActive, false, 'an inactive policy is never made current by an update');
      const current = await world.rest('POST', '/ap2/admin/policies', { name: 'Back', rules: before.rules });
      assert.equal(current.body.isActive, true);
      const listed = await world.rest('GET', '/ap2/policies');
      assert.equal(listed.body.data.filter((policy: Loose) => policy.isActive).length, 1);
    });

    test('binds a merchant’s key, and no longer trusts it once it is removed', async () => {
      const merchant = makePeer();
      const domain = 'Bücher.Example';
      const input = { domain, did: merchant.did, railAccountId: 'acct_1' };
      const bound = await world.rest('POST', '/ap2/admin/merchants', input);
      assert.equal(bound.status, 201, bound.text);
      assert.equal(bound.body.domain, 'xn--bcher-kva.example');
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', input)).status, 409);
      const agent = await world.newAgent();
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent, domain }));
      const request = { intentVc: intent.body.intentVc, cartVc: world.cart(5, { domain: 'bücher.example', merchant }) };
      const cart = await world.rest('POST', '/ap2/carts/validate', request);
      assert.equal(cart.body.allowed, true, cart.text);
      assert.equal(cart.body.railDecision.merchantConnected, true);
      assert.equal((await world.rest('DELETE', `/ap2/admin/merchants/${bound.body.id}`)).status, 204);
      const after = await world.rest('POST', '/ap2/carts/validate', request);
      assert.deepEqual(after.body.reasonCodes, ['MERCHANT_UNVERIFIED']);
      assert.equal((await world.rest('DELETE', `/ap2/admin/merchants/${bound.body.id}`)).status, 404);
    });
  });
}
