/** A purchase with the card rail on Stripe, against a double of its API through the real package. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Stripe from 'stripe';
import { STRIPE_API_VERSION } from '../../../src/extensions/stripe/connectStripe.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePeer } from '../../support/peer.ts';
import { approve, mandateIdOf, type Paid, purchase } from '../../support/purchase.ts';
import { startReceiver } from '../../support/receiver.ts';
import { type StripeDouble, startStripe } from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`Stripe behind the card rail on ${engine.name}`, () => {
    let world: World;
    let stripe: StripeDouble;
    let receiver: Awaited<ReturnType<typeof startReceiver>>;

    before(async () => {
      stripe = await startStripe();
      world = await makeWorld(engine, { ...stripe.env(), RAIL_RETRY_SECONDS: '0' });
      stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
      receiver = await startReceiver();
      const events = ['authorized', 'captured', 'failed', 'refunded', 'disputed'].map((name) => `payment.${name}`);
      const subscribed = await world.rest('POST', '/ap2/admin/webhooks', { url: `${receiver.url}/hook`, events });
      assert.equal(subscribed.status, 201, subscribed.text);
    });
    after(async () => {
      await stripe.close();
      await receiver.close();
      await world.close();
    });

    const payment = async (mandateId: string) => (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const evidence = async (mandateId: string): Promise<string[]> => {
      const { transactionId } = await payment(mandateId);
      const bundle = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`);
      return bundle.body.events.map((event: Loose) => event.eventType).slice(2);
    };
    const hooks = (mandateId: string): string[] =>
      receiver.received.filter(({ event }) => event.data.mandateId === mandateId).map(({ event }) => event.type);
    const intentOf = (paid: Paid) => stripe.intents.find(String(paid.railResponse.paymentIntentId));
    const buy = async (amount = 10, options = {}) => {
      const paid = await purchase(world, amount, { agent: await world.newAgent(), ...options });
      return { paid, mandateId: mandateIdOf(paid) };
    };
    const status = (mandateId: string, wanted: string) =>
      until(wanted, async () => (await payment(mandateId)).status === wanted);

    test('authorizes, captures, refunds a part and is disputed, with evidence and webhooks of each, once', async () => {
      const { paid, mandateId } = await buy(42.5);
      assert.equal(paid.railResponse.status, 'requires_capture');
      const intent = intentOf(paid);
      assert.equal(intent.amount, 4250);
      assert.equal(intent.metadata.mandate, mandateId);
      await world.rest('POST', `/ap2/payments/${mandateId}/capture`, { amount: 40 });
      assert.equal(intent.amount_received, 4000);
      const refund = await world.rest('POST', `/ap2/payments/${mandateId}/refund`, { amount: 15 });
      assert.equal(refund.body.status, 'PARTIALLY_REFUNDED', refund.text);
      assert.equal(intent.amount_refunded, 1500);
      await stripe.webhooks.settled();
      const dispute = stripe.dispute(intent.id);
      await status(mandateId, 'DISPUTED');
      dispute.close('lost');
      await until('the end of the dispute', async () => (await evidence(mandateId)).length === 6);
      assert.deepEqual(await evidence(mandateId), [
        'PM_ISSUED',
        'PAYMENT_AUTHORIZED',
        'PAYMENT_CAPTURED',
        'PAYMENT_REFUNDED',
        'PAYMENT_DISPUTED',
        'PAYMENT_DISPUTE_CLOSED',
      ]);
      await until('four webhooks', async () => hooks(mandateId).length === 4);
      const told = ['payment.authorized', 'payment.captured', 'payment.disputed', 'payment.refunded'];
      assert.deepEqual(hooks(mandateId).sort(), told);
    });

    test('sends the pinned version, the mandate’s id as the key, and reports nothing home', async () => {
      const { mandateId } = await buy();
      const sent = stripe.requests.find(({ key }) => key === mandateId);
      assert.equal(sent?.headers['stripe-version'], STRIPE_API_VERSION);
      assert.equal(STRIPE_API_VERSION, Stripe.API_VERSION);
      assert.equal(sent?.form.confirm, 'true');
      assert.equal(sent?.form.off_session, 'true');
      assert.ok(stripe.requests.every(({ headers }) => headers['x-stripe-client-telemetry'] === undefined));
    });

    for (const [instrument, code] of [
      ['pm_card_visa_chargeDeclined', 'card_declined'],
      ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
      ['pm_card_authenticationRequired', 'authentication_required'],
    ] as const) {
      test(`says ${code} for ${instrument}, once, though the notification says it too`, async () => {
        const { paid, mandateId } = await buy(10, { instrument });
        assert.equal(paid.railResponse.status, 'failed');
        assert.equal(paid.railResponse.error?.code, code);
        await stripe.webhooks.settled();
        assert.deepEqual(await evidence(mandateId), ['PM_ISSUED', 'PAYMENT_FAILED']);
      });
    }

    test('takes over what was done in the dashboard: captured, refunded in two steps, canceled', async () => {
      const { paid, mandateId } = await buy(20);
      const { id } = intentOf(paid);
      stripe.intents.capture(id, { amount_to_capture: '1500' });
      await status(mandateId, 'CAPTURED');
      assert.equal((await payment(mandateId)).captured, 15);
      stripe.refunds.create({ payment_intent: id, amount: '500' });
      await status(mandateId, 'PARTIALLY_REFUNDED');
      stripe.refunds.create({ payment_intent: id, amount: '1000' });
      await status(mandateId, 'REFUNDED');
      const other = await buy();
      stripe.intents.cancel(intentOf(other.paid).id, 'requested_by_customer');
      await status(other.mandateId, 'CANCELED');
      assert.deepEqual(await evidence(other.mandateId), ['PM_ISSUED', 'PAYMENT_AUTHORIZED', 'PAYMENT_CANCELED']);
    });

    test('ends the same in every order of the notifications, each of them twice', async () => {
      const { paid, mandateId } = await buy(20);
      const { id } = intentOf(paid);
      await stripe.webhooks.settled();
      stripe.webhooks.delivery = 'never';
      const before = stripe.webhooks.events.length;
      stripe.intents.capture(id, {});
      stripe.refunds.create({ payment_intent: id, amount: '500' });
      stripe.dispute(id).close('won');
      stripe.webhooks.delivery = 'once';
      const events = stripe.webhooks.events.slice(before).reverse();
      for (const event of [...events, ...events]) assert.equal(await stripe.webhooks.post(event), 200);
      assert.equal((await payment(mandateId)).status, 'PARTIALLY_REFUNDED', 'the dispute was won');
      assert.deepEqual(await evidence(mandateId), [
        'PM_ISSUED',
        'PAYMENT_AUTHORIZED',
        'PAYMENT_CAPTURED',
        'PAYMENT_REFUNDED',
        'PAYMENT_DISPUTED',
        'PAYMENT_DISPUTE_CLOSED',
      ]);
    });

    test('refuses notifications that are forged, too old, of live mode or no event at all', async () => {
      const event = { id: 'evt_x', type: 'payment_intent.succeeded', livemode: false, data: { object: {} } };
      const other = { ...event, type: 'customer.created' };
      const ago = (seconds: number) => ({ at: Math.floor(Date.now() / 1000) - seconds });
      assert.equal(await stripe.webhooks.post(other), 200);
      assert.equal(await stripe.webhooks.post(other, ago(290)), 200);
      assert.equal(await stripe.webhooks.post(other, ago(310)), 400);
      assert.equal(await stripe.webhooks.post(other, { secret: 'whsec_somebodyElses' }), 400);
      assert.equal(await stripe.webhooks.post({ ...other, livemode: true }), 400);
      assert.equal(await stripe.webhooks.post('[]'), 400);
      assert.equal(await stripe.webhooks.post(event), 400, 'the object is no payment intent');
      const bare = await fetch(String(stripe.webhooks.target), { method: 'POST', body: '{}' });
      assert.equal(bare.status, 400);
    });

    test('takes nothing from the account of a merchant, who knows the mandate and can name it there', async () => {
      const theirs = (mandateId: string, paid: Paid) => ({
        id: `evt_theirs_${mandateId}`,
        type: 'payment_intent.succeeded',
        account: 'acct_merchant',
        data: {
          object: { ...structuredClone(intentOf(paid)), id: 'pi_theirs', status: 'succeeded', amount_received: 1 },
        },
      });
      const { paid, mandateId } = await buy();
      assert.equal(await stripe.webhooks.post(theirs(mandateId, paid)), 200);
      const { status: stands, attention, captured } = await payment(mandateId);
      assert.deepEqual([stands, attention, captured], ['AUTHORIZED', undefined, 0]);
      const own = { ...theirs(mandateId, paid), account: null, data: { object: intentOf(paid) } };
      assert.equal(await stripe.webhooks.post({ ...own, id: 'evt_own' }), 200);
    });

    test('pays with what is registered for the agent, and never takes a card number', async () => {
      const agent = await world.newAgent();
      const principal = makePeer();
      const add = (body: object) => world.rest('POST', '/ap2/admin/instruments', body);
      const card = {
        principalDid: principal.did,
        paymentMethod: 'pm_double_family',
        customer: 'cus_family',
      };
      const family = await add(card);
      assert.equal(family.status, 201, family.text);
      await world.rest('PUT', `/ap2/admin/principals/${principal.did}`, { agents: [agent.did] });
      const own = await add({ agentDid: agent.did, paymentMethod: 'pm_double_own', customer: 'cus_own' });
      assert.equal((await add(card)).status, 409);
      assert.equal(intentOf(await purchase(world, 10, { agent, principal })).customer, 'cus_own');
      const named = await purchase(world, 10, { agent, principal, instrument: family.body.id });
      assert.equal(intentOf(named).customer, 'cus_family');
      await world.rest('DELETE', `/ap2/admin/instruments/${own.body.id}`);
      const gone = { approvalToken: await approve(world, 10, { agent, principal }), instrument: 'pm_double_own' };
      assert.equal((await world.rest('POST', '/ap2/payments/mandate', gone)).status, 400);
      const number = await add({ agentDid: agent.did, paymentMethod: '4242 4242 4242 4242' });
      assert.equal(number.status, 400);
      assert.ok(!number.text.includes('4242'), number.text);
      const byCard = { ...gone, instrument: '4242424242424242' };
      assert.equal((await world.rest('POST', '/ap2/payments/mandate', byCard)).status, 400);
      const { approvalToken } = gone;
      const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.equal(paid.body.railResponse.status, 'requires_capture', 'none of this used the approval up');
      await world.rest('DELETE', `/ap2/admin/instruments/${family.body.id}`);
    });

    test('pays out to the merchant’s account, and takes a refund back from it', async () => {
      const listed = await world.rest('GET', '/ap2/admin/merchants');
      await world.rest('DELETE', `/ap2/admin/merchants/${listed.body.data[0].id}`);
      const bound = { domain: SHOP, did: world.merchant.did, railAccountId: 'acct_1Connected' };
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', bound)).status, 201);
      const { paid, mandateId } = await buy();
      assert.equal(intentOf(paid).transfer_data?.destination, 'acct_1Connected');
      await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
      await world.rest('POST', `/ap2/payments/${mandateId}/refund`);
      const refund = stripe.requests.find(({ key }) => key?.startsWith(`${mandateId}:refund`));
      assert.equal(refund?.form.reverse_transfer, 'true');
    });

    test('warns before a hold ends, and releases it on both sides when it has ended', async () => {
      stripe.holdSeconds = 1;
      const { paid, mandateId } = await buy();
      stripe.holdSeconds = 7 * 24 * 3600;
      await status(mandateId, 'CANCELED');
      const steps = ['PM_ISSUED', 'PAYMENT_AUTHORIZED', 'PAYMENT_HOLD_ENDING', 'PAYMENT_CANCELED'];
      assert.deepEqual(await evidence(mandateId), steps);
      assert.equal(intentOf(paid).status, 'canceled');
    });
  });
}
