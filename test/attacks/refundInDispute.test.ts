/** Money that goes back, comes back and is fought over, in the worst order: the payment says where it is. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type StripeDouble, startStripe } from '../support/stripe/double.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a captured payment on ${engine.name}`, () => {
    let world: World;
    let stripe: StripeDouble;
    before(async () => {
      stripe = await startStripe();
      world = await makeWorld(engine, { ...stripe.env(), RAIL_RETRY_SECONDS: '0' });
      stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
    });
    after(async () => {
      await stripe.close();
      await world.close();
    });

    const payment = async (mandateId: string) => (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const status = (mandateId: string, wanted: string) =>
      until(wanted, async () => (await payment(mandateId)).status === wanted);
    const evidence = async (mandateId: string): Promise<string[]> => {
      const { transactionId } = await payment(mandateId);
      const bundle = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`);
      return bundle.body.events.map((event: Loose) => event.eventType).slice(5);
    };
    const captured = async () => {
      const paid = await purchase(world, 20, { agent: await world.newAgent() });
      const mandateId = mandateIdOf(paid);
      await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
      await stripe.webhooks.settled();
      return { mandateId, railId: String(paid.railResponse.paymentIntentId) };
    };
    const refund = (mandateId: string, body: object = {}) =>
      world.rest('POST', `/ap2/payments/${mandateId}/refund`, body);
    const refundsOf = (railId: string) => stripe.refunds.refunds.filter(({ intent }) => intent.id === railId);

    test('that is disputed can be refunded, in parts and in full, and ends as REFUNDED', async () => {
      const { mandateId, railId } = await captured();
      const dispute = stripe.dispute(railId);
      await status(mandateId, 'DISPUTED');
      const part = await refund(mandateId, { amount: 5 });
      assert.deepEqual([part.status, part.body.status, part.body.refunded], [200, 'DISPUTED', 5], part.text);
      assert.equal((await refund(mandateId)).body.status, 'REFUNDED');
      dispute.close('lost');
      await until('its end', async () => (await evidence(mandateId)).includes('PAYMENT_DISPUTE_CLOSED'));
      assert.equal((await payment(mandateId)).status, 'REFUNDED');
    });

    test('whose dispute arrives while a refund is paid records both', async () => {
      const { mandateId, railId } = await captured();
      stripe.faultOf = ({ path, nth }) => (path === '/v1/refunds' && nth === 1 ? 'error500' : undefined);
      await refund(mandateId, { amount: 5 });
      stripe.dispute(railId);
      await status(mandateId, 'DISPUTED');
      await until('the refund', async () => (await payment(mandateId)).refunded === 5);
      stripe.faultOf = () => undefined;
      assert.deepEqual((await evidence(mandateId)).sort(), ['PAYMENT_DISPUTED', 'PAYMENT_REFUNDED']);
    });

    test('returns to CAPTURED when its dispute is won, and can be disputed anew, but not by old news', async () => {
      const { mandateId, railId } = await captured();
      const dispute = stripe.dispute(railId);
      await status(mandateId, 'DISPUTED');
      dispute.close('won');
      await status(mandateId, 'CAPTURED');
      dispute.update('needs_response');
      await stripe.webhooks.settled();
      assert.equal((await payment(mandateId)).status, 'CAPTURED');
      stripe.dispute(railId);
      await status(mandateId, 'DISPUTED');
    });

    test('is not disputed by an inquiry, which is noted, until the inquiry becomes a dispute', async () => {
      const { mandateId, railId } = await captured();
      const inquiry = stripe.dispute(railId, 'fraudulent', 'warning_needs_response');
      await until('the note', async () => (await evidence(mandateId)).includes('PAYMENT_INQUIRY'));
      inquiry.update('warning_needs_response');
      await stripe.webhooks.settled();
      assert.deepEqual(await evidence(mandateId), ['PAYMENT_INQUIRY']);
      assert.equal((await payment(mandateId)).status, 'CAPTURED');
      inquiry.update('needs_response');
      await status(mandateId, 'DISPUTED');
    });

    test('takes back a refund that fails, once, and is not misled by older news of it', async () => {
      const { mandateId, railId } = await captured();
      assert.equal((await refund(mandateId, { amount: 5 })).body.refunded, 5);
      assert.equal((await refund(mandateId)).body.status, 'REFUNDED');
      await stripe.webhooks.settled();
      const old = stripe.webhooks.events.findLast(({ type }) => type === 'charge.refunded');
      const [latest] = refundsOf(railId);
      stripe.refunds.fail(latest as NonNullable<typeof latest>);
      await status(mandateId, 'PARTIALLY_REFUNDED');
      assert.equal((await payment(mandateId)).refunded, 5);
      assert.equal(await stripe.webhooks.post({ ...old, id: 'evt_again' }), 200);
      const failed = stripe.webhooks.events.findLast(({ type }) => type === 'refund.failed');
      assert.equal(await stripe.webhooks.post({ ...failed, id: 'evt_failed_again' }), 200);
      assert.equal((await payment(mandateId)).refunded, 5);
      const steps = ['PAYMENT_REFUNDED', 'PAYMENT_REFUNDED', 'PAYMENT_REFUND_FAILED'];
      assert.deepEqual(await evidence(mandateId), steps);
      assert.equal((await refund(mandateId)).body.status, 'REFUNDED', 'it can be refunded again');
    });

    test('lapsed or captured at Stripe unheard of is found so when the node is refused', async () => {
      stripe.webhooks.delivery = 'never';
      const paid = await purchase(world, 20, { agent: await world.newAgent() });
      const other = await purchase(world, 20, { agent: await world.newAgent() });
      stripe.intents.cancel(String(paid.railResponse.paymentIntentId), 'automatic');
      stripe.intents.capture(String(other.railResponse.paymentIntentId), { amount_to_capture: '1500' });
      stripe.webhooks.delivery = 'once';
      const capture = await world.rest('POST', `/ap2/payments/${mandateIdOf(paid)}/capture`);
      assert.equal(capture.status, 409);
      assert.equal((await payment(mandateIdOf(paid))).status, 'CANCELED');
      assert.equal((await world.rest('POST', `/ap2/payments/${mandateIdOf(other)}/cancel`)).status, 409);
      const found = await payment(mandateIdOf(other));
      assert.deepEqual([found.status, found.captured], ['CAPTURED', 15]);
    });
  });
}
