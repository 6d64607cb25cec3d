/** Every webhook event from its real cause to a real receiver, its signature checked by code of the test's own. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WEBHOOK_DATA, WEBHOOK_EVENTS, WebhookEvent, type WebhookEventType } from '../../protocol/webhook/event.ts';
import { everyEngine } from '../support/engines.ts';
import { attempts, HOOKS, passMarker, subscribe } from '../support/hooks.ts';
import { askForApproval, makePerson } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { isSigned, isSignedByStandard, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`webhooks on ${engine.name}`, () => {
    let world: World;
    let receiver: Receiver;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
      receiver = await startReceiver();
    });
    after(async () => {
      await receiver.close();
      await world.close();
    });

    test('carry each event from its cause, signed, with the data that is documented', async () => {
      const webhook = await subscribe(world, `${receiver.url}/all`, WEBHOOK_EVENTS);
      const admin = '/ap2/admin';
      const agent = await world.newAgent('watched agent');

      const captured = mandateIdOf(await purchase(world, 30, { agent }));
      assert.equal((await world.rest('POST', `/ap2/payments/${captured}/capture`)).status, 200);
      assert.equal((await world.rest('POST', `/ap2/payments/${captured}/refund`, { amount: 10 })).status, 200);
      assert.equal((await world.rest('POST', '/ap2/demo/refund-failure', { mandateId: captured })).status, 200);
      assert.equal((await world.rest('POST', '/ap2/demo/dispute', { mandateId: captured })).status, 200);
      const end = await world.rest('POST', '/ap2/demo/dispute/end', { mandateId: captured, outcome: 'won' });
      assert.equal(end.body.status, 'CAPTURED', end.text);
      await purchase(world, 20, { agent, instrument: 'pm_card_visa_chargeDeclined' });
      const denied = await world.rest('POST', '/ap2/intents', world.intentBody(500, { agent }));
      assert.equal(denied.body.allowed, false);
      const soon = new Date(Date.now() + 300).toISOString();
      const short = await world.rest('POST', '/ap2/intents', { ...world.intentBody(5, { agent }), expiresAt: soon });
      assert.equal(short.body.allowed, true);
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent }));
      const cart = { intentVc: intent.body.intentVc, cartVc: world.cart(6) };
      assert.equal((await world.rest('POST', '/ap2/carts/validate', cart)).body.allowed, false);
      const person = makePerson(world);
      await person.enroll(agent);
      const { approval } = await askForApproval(world, 150, agent);
      assert.equal((await person.decide(approval.id)).status, 200);
      const unwanted = await askForApproval(world, 151, agent);
      assert.equal((await world.rest('POST', `/ap2/approvals/${unwanted.approval.id}/deny`, {})).status, 200);
      const missed = { ...world.intentBody(152, { agent }), expiresAt: new Date(Date.now() + 1000).toISOString() };
      const { intentVc } = (await world.rest('POST', '/ap2/intents', missed)).body;
      const unseen = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(152) });
      assert.deepEqual(unseen.body.reasonCodes, ['HP_REQUIRED'], unseen.text);
      assert.equal((await world.rest('POST', `${admin}/agents/${agent.did}/suspend`, { reason: 'odd' })).status, 200);
      assert.equal((await world.rest('POST', `${admin}/agents/${agent.did}/reactivate`, {})).status, 200);
      await world.rest('PUT', `${admin}/agents/${agent.did}/velocity`, { maxTransactions: 1, timeWindow: '1h' });
      const often = await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent }));
      assert.deepEqual(often.body.reasonCodes, ['VELOCITY_EXCEEDED']);
      const policy = (await world.rest('GET', '/ap2/policies/current')).body;
      assert.equal((await world.rest('PUT', `${admin}/policies/${policy.id}`, { name: 'Renamed' })).status, 200);
      assert.equal((await world.rest('POST', `${admin}/agents/${agent.did}/revoke`, { reason: 'lost' })).status, 200);

      const arrived = new Map<string, Received>();
      for (const type of WEBHOOK_EVENTS) {
        const found = receiver.wait(1, ({ path, event }) => path === '/all' && event.type === type);
        const [first] = await found.catch((error: Error) => {
          throw new Error(`No ${type} came. Is it caused above? ${error.message}`);
        });
        arrived.set(type, first as Received);
      }
      for (const received of receiver.received) {
        assert.ok(isSigned(received, webhook.secret), 'X-Service-Signature');
        assert.ok(isSignedByStandard(received, webhook.secret), 'Standard Webhooks');
        assert.equal(received.headers['webhook-id'], received.event.id);
        assert.equal(received.headers['content-type'], 'application/json');
        const event = WebhookEvent.parse(received.event);
        const strict = WEBHOOK_DATA[event.type as WebhookEventType].strict();
        const data = strict.safeParse(event.data);
        assert.ok(data.success, `${event.type}: ${data.error?.message}`);
      }
      const of = (type: WebhookEventType): Loose => arrived.get(type)?.event;
      const { data, context } = of('payment.authorized');
      assert.deepEqual(Object.keys(context), ['agentDid', 'principalDid', 'intentId']);
      assert.deepEqual([data.amount, data.currency, data.merchant, data.mandateId], [30, 'USD', SHOP, captured]);
      assert.equal(data.railPaymentIntentId, data.railTransactionId);
      assert.deepEqual([of('payment.captured').data.amount, of('payment.refunded').data.amount], [30, 10]);
      assert.equal(of('payment.failed').data.error.code, 'card_declined');
      assert.deepEqual(of('intent.denied').data.reasonCodes, ['AMOUNT_OVER_CAP']);
      assert.deepEqual(of('intent.denied').data.request, { maxAmount: 500, currency: 'USD', merchantDomain: SHOP });
      assert.deepEqual(of('cart.rejected').data.reasonCodes.includes('CART_EXCEEDS_INTENT'), true);
      assert.equal(of('policy.violation').data.violationType, 'VELOCITY_BREACH');
      assert.deepEqual(of('policy.updated').context, {});
      assert.equal(of('approval.requested').data.url, approval.url, 'the owner can be led to the page');
      assert.deepEqual(Object.keys(of('approval.requested').context), ['agentDid', 'principalDid', 'intentId']);
      assert.deepEqual(
        [of('approval.approved').data.approvalId, of('approval.approved').data.amount],
        [approval.id, 150],
      );
      assert.equal(of('approval.denied').data.approvalId, unwanted.approval.id);
      assert.equal(of('approval.expired').data.approvalId, unseen.body.approval.id);
      assert.equal(of('agent.suspended').data.reason, 'odd');
      const chain = (await world.rest('GET', '/ap2/evidence/export')).body.events;
      assert.ok(!JSON.stringify(chain).includes('/approve/'), 'the link is in no evidence');
      const evidence = chain.find(({ id }: Loose) => id === of('agent.revoked').id);
      assert.equal(evidence?.eventType, 'AGENT_REVOKED', 'an event has the id of the evidence of the same meaning');
      const count = receiver.received.length;
      const logs = await attempts(world, webhook.id, count);
      assert.deepEqual([...new Set(logs.map(({ outcome }) => outcome))], ['delivered']);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
      await passMarker(world, receiver);
      const ids = receiver.received.map(({ event }) => event.id);
      assert.equal(new Set(ids).size, ids.length, 'nothing was posted twice without need');
    });
  });
}
