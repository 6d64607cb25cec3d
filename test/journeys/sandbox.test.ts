/** The sandbox behaves as documented, the same through both gates. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import type { JsonObject, Peer } from '../support/peer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

/** One gate as the tests see it: the same questions, answered alike. */
interface Gate {
  readonly name: string;
  ask(
    world: World,
    type: 'IntentMandate' | 'CartMandate' | 'PaymentMandate',
    body: JsonObject,
    from: Peer,
  ): Promise<Loose>;
}

const PATHS = {
  IntentMandate: '/ap2/intents',
  CartMandate: '/ap2/carts/validate',
  PaymentMandate: '/ap2/payments/mandate',
};

const gates: readonly Gate[] = [
  {
    name: 'REST',
    async ask(world, type, body) {
      const reply = await world.rest('POST', PATHS[type], body);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    },
  },
  {
    name: 'A2A',
    async ask(world, type, body, from) {
      const answer = await world.say(type, body, { from });
      if (answer.result !== undefined) return answer.result.message.body;
      assert.equal(answer.error.code, -32000, JSON.stringify(answer));
      return answer.error.data;
    },
  },
];

const CARDS = [
  ['pm_card_visa', 'requires_capture', undefined],
  ['pm_card_visa_chargeDeclined', 'failed', 'card_declined'],
  ['pm_card_authenticationRequired', 'failed', 'authentication_required'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'failed', 'insufficient_funds'],
] as const;

for (const engine of everyEngine()) {
  for (const gate of gates) {
    describe(`the sandbox on ${engine.name} over ${gate.name}`, () => {
      let world: World;
      before(async () => {
        world = await makeWorld(engine);
      });
      after(() => world.close());

      test('denies an intent of 500 with AMOUNT_OVER_CAP and the numbers', async () => {
        const agent = await world.newAgent();
        const denied = await gate.ask(world, 'IntentMandate', world.intentBody(500, { agent }), agent);
        assert.equal(denied.allowed, false);
        assert.deepEqual(denied.reasonCodes, ['AMOUNT_OVER_CAP']);
        assert.equal(denied.details.AMOUNT_OVER_CAP.requested, 500);
      });

      test('denies an intent for a deny-listed merchant with MERCHANT_DENIED', async () => {
        const agent = await world.newAgent();
        const policy = await world.rest('GET', '/ap2/policies/current');
        const listed = policy.body.rules.merchant.deny_list;
        assert.equal(listed.length, 2);
        for (const domain of listed) {
          const denied = await gate.ask(world, 'IntentMandate', world.intentBody(10, { agent, domain }), agent);
          assert.deepEqual(denied.reasonCodes, ['MERCHANT_DENIED']);
        }
      });

      test('allows an intent of 150 with a human present, and pays once one was', async () => {
        const agent = await world.newAgent();
        const intent = await gate.ask(world, 'IntentMandate', world.intentBody(150, { agent }), agent);
        assert.equal(intent.allowed, true);
        assert.equal(intent.hpRequired, true);
        const intentVc = intent.intentVc;
        const cartVc = world.cart(150);
        const alone = await gate.ask(world, 'CartMandate', { intentVc, cartVc }, agent);
        assert.deepEqual(alone.reasonCodes, ['HP_REQUIRED']);
        const proof = await world.rest('POST', '/ap2/demo/hp-proof', { agentDid: agent.did, freshnessSeconds: 60 });
        const hpProof = proof.body.hpProof;
        const present = await gate.ask(world, 'CartMandate', { intentVc, cartVc, hpProof }, agent);
        assert.equal(present.allowed, true);
        const again = await gate.ask(world, 'CartMandate', { intentVc, cartVc, hpProof }, agent);
        assert.deepEqual(again.reasonCodes, ['HP_INVALID'], 'a presence proof serves once');
        const paid = await gate.ask(world, 'PaymentMandate', { approvalToken: present.approvalToken }, agent);
        assert.equal(paid.railResponse.status, 'requires_capture');
      });

      test('denies the 11th intent in the window with VELOCITY_EXCEEDED', async () => {
        const agent = await world.newAgent();
        for (let i = 1; i <= 10; i++) {
          const allowed = await gate.ask(world, 'IntentMandate', world.intentBody(1, { agent }), agent);
          assert.equal(allowed.allowed, true, `intent ${i}`);
        }
        const denied = await gate.ask(world, 'IntentMandate', world.intentBody(1, { agent }), agent);
        assert.deepEqual(denied.reasonCodes, ['VELOCITY_EXCEEDED']);
        assert.equal(denied.details.VELOCITY_EXCEEDED.requested, 11);
        assert.equal(denied.details.VELOCITY_EXCEEDED.limit, 10);
      });

      for (const [instrument, status, code] of CARDS) {
        test(`lets the test card ${instrument} end as ${code ?? status}`, async () => {
          const agent = await world.newAgent();
          const intent = await gate.ask(world, 'IntentMandate', world.intentBody(10, { agent }), agent);
          const request = { intentVc: intent.intentVc, cartVc: world.cart(10) };
          const cart = await gate.ask(world, 'CartMandate', request, agent);
          const { approvalToken } = cart;
          const payment = await gate.ask(world, 'PaymentMandate', { approvalToken, instrument }, agent);
          assert.equal(payment.railResponse.status, status);
          assert.equal(payment.railResponse.error?.code, code);
          assert.ok(payment.pmVc);
        });
      }

      test('plays a whole demo purchase, and shows how far a denied one got', async () => {
        const agent = await world.newAgent();
        const request = {
          agentDid: agent.did,
          principalDid: world.principal.did,
          currency: 'USD',
          merchantDomain: 'demo.example',
        };
        const played = await world.rest('POST', '/ap2/demo/payment', { ...request, amount: 25 });
        assert.equal(played.status, 200, played.text);
        assert.equal(played.body.payment.capture.status, 'CAPTURED');
        assert.deepEqual(
          played.body.evidence.map((event: Loose) => event.eventType),
          ['INTENT_ISSUED', 'CART_VALIDATED', 'PM_ISSUED', 'PAYMENT_AUTHORIZED', 'PAYMENT_CAPTURED'],
        );
        const denied = await world.rest('POST', '/ap2/demo/payment', { ...request, amount: 500 });
        assert.equal(denied.body.intent.allowed, false);
        assert.equal(denied.body.payment, undefined);
        assert.deepEqual(
          denied.body.evidence.map((event: Loose) => event.eventType),
          ['INTENT_DENIED'],
        );
      });

      test('clears test data on request and starts a new chain, keeping agents and policy', async () => {
        assert.equal((await world.rest('POST', '/ap2/admin/reset-test-data')).status, 204);
        const exported = await world.rest('GET', '/ap2/evidence/export');
        assert.deepEqual(
          exported.body.events.map((event: Loose) => event.eventType),
          ['TEST_DATA_RESET'],
        );
        assert.equal(exported.body.chainValid, true);
        assert.equal((await world.rest('GET', '/ap2/intents')).body.data.length, 0);
        assert.ok((await world.rest('GET', '/ap2/agents')).body.data.length > 0);
        const allowed = await gate.ask(world, 'IntentMandate', world.intentBody(10), world.agent);
        assert.equal(allowed.allowed, true);
      });
    });
  }
}
