/** Two disputes of one payment, each about a half of it, whose events come in any order: neither hides the other one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type StripeDouble, startStripe } from '../support/stripe/double.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

/** Of the four events: as they were made, backwards, and each end before its beginning. All orders: recordDispute.test.ts. */
const ORDERS = [
  [0, 1, 2, 3],
  [3, 2, 1, 0],
  [2, 0, 3, 1],
];

for (const engine of everyEngine()) {
  describe(`a payment with several disputes on ${engine.name}`, () => {
    let world: World;
    let stripe: StripeDouble;
    let receiver: Receiver;
    before(async () => {
      stripe = await startStripe();
      world = await makeWorld(engine, { ...stripe.env(), RAIL_RETRY_SECONDS: '0' });
      stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
      receiver = await startReceiver();
      const events = ['payment.disputed', 'payment.dispute_closed'];
      await world.rest('POST', '/ap2/admin/webhooks', { url: `${receiver.url}/hook`, events });
      const rules = { version: '2.0', spend: { amount_cap: 500, presence_cap: 500, currency: 'USD' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'wide', rules })).status, 201);
    });
    after(async () => {
      await stripe.close();
      await receiver.close();
      await world.close();
    });

    const captured = async (amount = 168) => {
      const mandateId = mandateIdOf(await purchase(world, amount, { agent: await world.newAgent() }));
      const { body } = await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
      assert.equal(body.status, 'CAPTURED');
      await stripe.webhooks.settled();
      const { railTransactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
      return { mandateId, railId: String(railTransactionId) };
    };
    const payment = async (mandateId: string) => (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const openOnes = async (mandateId: string): Promise<Loose[]> =>
      (await world.rest('GET', '/ap2/admin/attention')).body.items.filter(
        (item: Loose) => item.kind === 'dispute' && item.mandateId === mandateId,
      );
    const evidence = async (mandateId: string): Promise<Loose[]> => {
      const { transactionId } = await payment(mandateId);
      const { body } = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`);
      return body.events.filter(({ eventType }: Loose) => /DISPUTE|INQUIRY/.test(eventType));
    };
    const hooks = (mandateId: string) =>
      receiver.received.filter(({ event }) => event.data.mandateId === mandateId).map(({ event }) => event);
    /** What the rail tells of two disputes, held back until it is sent. */
    const recorded = async (
      railId: string,
      play: (dispute: (dueBy?: number) => ReturnType<StripeDouble['dispute']>) => void,
    ) => {
      stripe.webhooks.delivery = 'never';
      const first = stripe.webhooks.events.length;
      play((dueBy) =>
        stripe.dispute(railId, 'fraudulent', 'needs_response', { amount: 8400, ...(dueBy && { dueBy }) }),
      );
      stripe.webhooks.delivery = 'once';
      return stripe.webhooks.events.slice(first);
    };
    const send = async (event: object) => assert.equal(await stripe.webhooks.post(event), 200);

    test('is disputed for what is lost, whichever ends first, and in every order of the events', async () => {
      for (const order of ORDERS) {
        const { mandateId, railId } = await captured();
        const events = await recorded(railId, (dispute) => {
          const [lost, won] = [dispute(), dispute()];
          lost.close('lost');
          won.close('won');
        });
        for (const index of order) await send(events[index] as object);
        for (const event of events) await send(event);
        const { status, disputed, disputes } = await payment(mandateId);
        assert.deepEqual([status, disputed], ['DISPUTED', 84], String(order));
        assert.deepEqual(disputes.map((each: Loose) => `${each.amount} ${each.status}`).sort(), ['84 lost', '84 won']);
        const told = (await evidence(mandateId)).map(({ eventType, data }) => `${eventType} ${data.amount}`).sort();
        const [opened, closed] = ['PAYMENT_DISPUTED 84', 'PAYMENT_DISPUTE_CLOSED 84'];
        assert.deepEqual(told, [opened, opened, closed, closed], String(order));
        assert.deepEqual(await openOnes(mandateId), []);
      }
    });

    test('stays in attention and DISPUTED for the one that is open, and spend counts its part alone', async () => {
      const before = (await world.rest('GET', '/ap2/admin/spend?currency=USD')).body.totals[0].disputed.minor;
      const { mandateId, railId } = await captured();
      const dueBy = Math.floor(Date.now() / 1000) + 86_400;
      const events = await recorded(railId, (dispute) => {
        dispute(dueBy);
        dispute().close('won');
      });
      for (const event of events) await send(event);
      const { status, disputed, captured: taken } = await payment(mandateId);
      assert.deepEqual([status, disputed, taken], ['DISPUTED', 84, 168]);
      const [open, ...others] = await openOnes(mandateId);
      assert.deepEqual([open?.dueBy, others.length], [new Date(dueBy * 1000).toISOString(), 0]);
      const totals = (await world.rest('GET', '/ap2/admin/spend?currency=USD')).body.totals;
      assert.equal(totals[0].disputed.minor - before, 8400);
      await until('three webhooks', async () => hooks(mandateId).length === 3);
      const told = hooks(mandateId)
        .map(({ type, data }) => `${type} ${data.amount} ${data.currency}`)
        .sort();
      const [opened, closed] = ['payment.disputed 84 USD', 'payment.dispute_closed 84 USD'];
      assert.deepEqual(told, [closed, opened, opened]);
    });

    test('is CAPTURED once all of its disputes are won', async () => {
      const { mandateId, railId } = await captured();
      const events = await recorded(railId, (dispute) => {
        for (const each of [dispute(), dispute()]) each.close('won');
      });
      for (const event of events.reverse()) await send(event);
      const { status, disputed } = await payment(mandateId);
      assert.deepEqual([status, disputed], ['CAPTURED', 0]);
    });

    test('counts a dispute by its own amount, beside what was refunded', async () => {
      const { mandateId, railId } = await captured(100);
      await world.rest('POST', `/ap2/payments/${mandateId}/refund`, { amount: 30 });
      await stripe.webhooks.settled();
      stripe.dispute(railId, 'fraudulent', 'needs_response', { amount: 2000 });
      await stripe.webhooks.settled();
      const { status, disputed, refunded } = await payment(mandateId);
      assert.deepEqual([status, disputed, refunded], ['DISPUTED', 20, 30]);
      const [event] = await evidence(mandateId);
      assert.deepEqual([event?.data.amount, event?.data.currency], [20, 'USD']);
    });

    test('is opened again by an appeal of a dispute that was lost, and by no older news', async () => {
      const { mandateId, railId } = await captured();
      const [opened, lost, appeal, won] = await recorded(railId, (dispute) => {
        const one = dispute();
        one.close('lost');
        one.update('appeal_needs_response');
        one.close('won');
      });
      const at = (event: object | undefined, seconds: number) => ({
        ...event,
        id: `evt_${mandateId}_${seconds}`,
        created: 1_800_000_000 + seconds,
      });
      await send(at(opened, 0));
      await send(at(lost, 10));
      await send(at(appeal, 20));
      assert.equal((await payment(mandateId)).disputes[0].status, 'needs_response');
      await send(at(lost, 11));
      assert.equal((await payment(mandateId)).disputes[0].status, 'needs_response', 'the older end is no news');
      assert.equal((await openOnes(mandateId)).length, 1);
      await send(at(won, 30));
      await send(at(appeal, 21));
      const { status, disputes } = await payment(mandateId);
      assert.deepEqual([status, disputes[0].status], ['CAPTURED', 'won']);
      const types = (await evidence(mandateId)).map(({ eventType }) => eventType);
      const end = 'PAYMENT_DISPUTE_CLOSED';
      assert.deepEqual(types, ['PAYMENT_DISPUTED', end, 'PAYMENT_DISPUTE_REOPENED', end]);
    });

    test('needs a person for a state that this program does not know', async () => {
      const { mandateId, railId } = await captured();
      stripe.dispute(railId, 'fraudulent', 'arbitration_at_the_moon', { amount: 8400 });
      await stripe.webhooks.settled();
      const { status, disputes } = await payment(mandateId);
      assert.deepEqual([status, disputes[0].status], ['DISPUTED', 'under_review']);
      assert.equal((await openOnes(mandateId)).length, 1);
    });
  });
}
