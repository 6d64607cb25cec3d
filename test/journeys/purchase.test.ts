/** A purchase from intent to capture, on both engines, through both gates. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { isProvenBy, makePeer } from '../support/peer.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const PURCHASE = ['INTENT_ISSUED', 'CART_VALIDATED', 'PM_ISSUED', 'PAYMENT_AUTHORIZED'];

for (const engine of everyEngine()) {
  describe(`a purchase on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    test('goes from intent to an authorized payment over REST, and its evidence is in order', async () => {
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(50));
      assert.equal(intent.status, 200, intent.text);
      assert.equal(intent.body.allowed, true);
      assert.equal(intent.body.hpRequired, false);
      assert.match(intent.body.attestation.policyHash, /^sha256:[0-9a-f]{64}$/);
      const subject = intent.body.intentVc.credentialSubject;
      assert.match(subject.mandateId, /^intent_[0-9a-hjkmnp-tv-z]{26}$/);
      assert.equal(subject.maxAmount, 50);
      const nodeDid = world.node.deps.issuer.did;
      assert.ok(isProvenBy(nodeDid, intent.body.intentVc, 'assertionMethod'));

      const request = { intentVc: intent.body.intentVc, cartVc: world.cart(42.5) };
      const cart = await world.rest('POST', '/ap2/carts/validate', request);
      assert.equal(cart.status, 200, cart.text);
      assert.equal(cart.body.allowed, true, cart.text);
      assert.match(cart.body.approvalToken, /^apt_[\w-]{43}$/);
      assert.equal(cart.body.railDecision.rail, 'CARD_RAIL');
      assert.equal(cart.body.railDecision.merchantConnected, false);
      assert.match(cart.body.cartHash, /^sha256:[0-9a-f]{64}$/);

      const approvalToken = cart.body.approvalToken;
      const payment = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.equal(payment.status, 200, payment.text);
      assert.equal(payment.body.railResponse.status, 'requires_capture');
      const mandate = payment.body.pmVc.credentialSubject;
      assert.equal(mandate.amount, 42.5);
      assert.equal(mandate.intentId, subject.mandateId);
      assert.equal(mandate.merchant, SHOP);
      assert.ok(isProvenBy(nodeDid, payment.body.pmVc, 'assertionMethod'));

      const record = await world.rest('GET', `/ap2/payments/${mandate.mandateId}`);
      assert.equal(record.body.status, 'AUTHORIZED');
      const bundle = await world.rest('GET', `/ap2/evidence/bundle/${record.body.transactionId}`);
      assert.equal(bundle.body.chainValid, true);
      assert.deepEqual(
        bundle.body.events.map((event: Loose) => event.eventType),
        PURCHASE,
      );
      assert.equal(bundle.body.summary.status, 'AUTHORIZED');
      assert.equal(bundle.body.summary.amount, 42.5);

      const used = await world.rest('GET', `/ap2/intents/${subject.mandateId}`);
      assert.equal(used.body.status, 'USED');
      const again = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.equal(again.status, 409);
    });

    test('goes the same way between agents, every answer signed by the DID of the agent card', async () => {
      const card = await world.rest('GET', '/.well-known/agent-card.json', undefined, {});
      assert.equal(card.body.did, world.node.deps.issuer.did);
      const intent = await world.say('IntentMandate', world.intentBody(60));
      assert.equal(intent.result.message.type, 'IntentResult');
      const { intentVc } = intent.result.message.body;
      const cart = await world.say('CartMandate', { intentVc, cartVc: world.cart(60) });
      assert.equal(cart.result.message.type, 'CartResult');
      const { approvalToken } = cart.result.message.body;
      const payment = await world.say('PaymentMandate', { approvalToken });
      assert.equal(payment.result.message.type, 'PaymentResult');
      assert.equal(payment.result.message.body.railResponse.status, 'requires_capture');
    });

    test('is captured, then refunded in two parts, and can go no further', async () => {
      const mandateId = await pay(world, 30);
      const path = `/ap2/payments/${mandateId}`;
      const tooMuch = await world.rest('POST', `${path}/capture`, { amount: 30.01 });
      assert.equal(tooMuch.status, 400);
      const captured = await world.rest('POST', `${path}/capture`);
      assert.equal(captured.status, 200, captured.text);
      assert.equal(captured.body.status, 'CAPTURED');
      assert.equal(captured.body.captured, 30);
      assert.equal((await world.rest('POST', `${path}/cancel`)).status, 409);
      const part = await world.rest('POST', `${path}/refund`, { amount: 10.5 });
      assert.equal(part.body.status, 'PARTIALLY_REFUNDED');
      assert.equal((await world.rest('POST', `${path}/refund`, { amount: 20 })).status, 400);
      const rest = await world.rest('POST', `${path}/refund`);
      assert.equal(rest.body.status, 'REFUNDED');
      assert.equal(rest.body.refunded, 30);
      assert.equal((await world.rest('POST', `${path}/refund`)).status, 409);
    });

    test('gives back its reservation when it is canceled', async () => {
      const mandateId = await pay(world, 20);
      const canceled = await world.rest('POST', `/ap2/payments/${mandateId}/cancel`);
      assert.equal(canceled.body.status, 'CANCELED');
    });

    test('of a cart without a trusted signature, over the intent or from elsewhere is rejected with every reason', async () => {
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(10));
      const cartVc = world.cart(12, { domain: 'other.example', merchant: makePeer() });
      const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc });
      assert.equal(cart.status, 200, cart.text);
      assert.deepEqual(cart.body.reasonCodes, ['CART_EXCEEDS_INTENT', 'MERCHANT_MISMATCH', 'MERCHANT_UNVERIFIED']);
      assert.equal(cart.body.details.CART_EXCEEDS_INTENT.requested, 12);
      assert.equal(cart.body.details.CART_EXCEEDS_INTENT.limit, 10);
    });

    test('leaves a chain that verifies from its first event to its last', async () => {
      const verified = await world.rest('GET', '/ap2/evidence/verify');
      assert.equal(verified.body.valid, true, verified.text);
      assert.equal(verified.body.eventsVerified, verified.body.toSeq);
    });
  });
}

/** Buys something and returns the payment mandate's id. */
async function pay(world: World, amount: number): Promise<string> {
  const agent = await world.newAgent();
  const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }));
  const cart = await world.rest('POST', '/ap2/carts/validate', {
    intentVc: intent.body.intentVc,
    cartVc: world.cart(amount),
  });
  const { approvalToken } = cart.body;
  const payment = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
  return payment.body.pmVc.credentialSubject.mandateId;
}
