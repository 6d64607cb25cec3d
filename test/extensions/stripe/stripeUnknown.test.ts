/** Answers that never come: looked for, given up or left to a person, and taken back when they come too late. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { type StripeDouble, type StripeFault, type StripeRequest, startStripe } from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`answers of Stripe that never come to a node on ${engine.name}`, () => {
    let world: World;
    let stripe: StripeDouble;
    before(async () => {
      stripe = await startStripe();
      const schedule = { RAIL_TIMEOUT_SECONDS: '1', RAIL_RETRY_SECONDS: '0', RAIL_RESEND_SECONDS: '1' };
      world = await makeWorld(engine, { ...stripe.env(), ...schedule, RAIL_GIVE_UP_SECONDS: '3' });
      stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
    });
    after(async () => {
      await stripe.close();
      await world.close();
    });

    const payment = async (mandateId: string) => (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const status = (mandateId: string, wanted: string) =>
      until(wanted, async () => (await payment(mandateId)).status === wanted, 20_000);
    const evidence = async (mandateId: string): Promise<string[]> => {
      const { transactionId } = await payment(mandateId);
      const bundle = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`);
      return bundle.body.events.map((event: Loose) => event.eventType).slice(2);
    };
    const gauge = async (name: string) => {
      const { text } = await world.rest('GET', '/metrics');
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    };
    const buy = async () => mandateIdOf(await purchase(world, 10, { agent: await world.newAgent() }));
    /** Every request of this kind meets the fault. */
    const always = (fault: StripeFault, fits: (request: StripeRequest) => boolean = () => true) => {
      stripe.faultOf = (request) => (request.method === 'POST' && fits(request) ? fault : undefined);
      stripe.webhooks.delivery = 'never';
    };
    const well = () => {
      stripe.faultOf = () => undefined;
      stripe.webhooks.delivery = 'once';
      stripe.down = false;
    };

    test('an authorization is found by its metadata when every answer to it was lost', async () => {
      always('error500Stored');
      const mandateId = await buy();
      await status(mandateId, 'AUTHORIZED');
      well();
      assert.deepEqual(await evidence(mandateId), ['PM_ISSUED', 'PAYMENT_UNKNOWN', 'PAYMENT_AUTHORIZED']);
    });

    test('an authorization is known by its notification before the node asks Stripe', async () => {
      stripe.faultOf = ({ method }) => (method === 'POST' ? 'hangAfterCommit' : undefined);
      const agent = await world.newAgent();
      const paid = await purchase(world, 10, { agent });
      well();
      assert.equal(paid.railResponse.status, 'requires_capture', 'the notification came before the time-out');
    });

    test('an authorization that Stripe never heard of is shown as UNKNOWN, then FAILED, and frees its money', async () => {
      const agent = await world.newAgent();
      await world.rest('PUT', `/ap2/admin/agents/${agent.did}/velocity`, { maxAmount: 10, timeWindow: '1h' });
      always('closeBeforeCommit');
      const mandateId = mandateIdOf(await purchase(world, 10, { agent }));
      assert.equal((await payment(mandateId)).status, 'UNKNOWN');
      const listed = await world.rest('GET', '/ap2/payments?status=UNKNOWN');
      assert.deepEqual(
        listed.body.data.map((one: Loose) => one.mandateId),
        [mandateId],
      );
      assert.equal(await gauge('countersign_payments_unknown'), 1);
      await status(mandateId, 'FAILED');
      const sent = stripe.requests.filter(({ key }) => key === mandateId);
      well();
      assert.equal((await payment(mandateId)).error.code, 'no_answer');
      assert.ok(sent.length >= 2 && new Set(sent.map(({ raw }) => raw)).size === 1);
      assert.equal((await world.rest('POST', '/ap2/intents', world.intentBody(10, { agent }))).body.allowed, true);
      assert.equal(await gauge('countersign_payments_unknown'), 0);
    });

    test('a success that comes after FAILED is canceled at Stripe and recorded, and the payment stays FAILED', async () => {
      always('closeBeforeCommit');
      const mandateId = await buy();
      await status(mandateId, 'FAILED');
      well();
      const sent = stripe.requests.find(({ key }) => key === mandateId);
      const late = stripe.intents.create(sent?.form ?? {});
      await until('the cancellation', async () => late.status === 'canceled');
      await until('its evidence', async () => (await evidence(mandateId)).includes('PAYMENT_LATE_CANCELED'));
      assert.deepEqual((await evidence(mandateId)).slice(-3), [
        'PAYMENT_FAILED',
        'PAYMENT_LATE_SUCCESS',
        'PAYMENT_LATE_CANCELED',
      ]);
      assert.equal((await payment(mandateId)).status, 'FAILED');
    });

    test('what can neither be sent nor looked up is left to a person, and settled once it can', async () => {
      always('closeBeforeCommit');
      stripe.down = true;
      const mandateId = await buy();
      const flagged = 'countersign_rail_attempts_flagged';
      await until('the flag', async () => (await gauge(flagged)) === 1, 20_000);
      assert.equal((await payment(mandateId)).status, 'UNKNOWN');
      well();
      await status(mandateId, 'FAILED');
      assert.equal(await gauge(flagged), 0);
    });

    test('captures, cancellations and refunds are looked up in the same way: found, or let go of', async () => {
      const found = new Set<string>();
      const follow = async (operation: 'capture' | 'cancel' | 'refund', before: string, after: string) => {
        const [kept, lost] = [await buy(), await buy()];
        found.add(kept);
        const ask = async (id: string) => await world.rest('POST', `/ap2/payments/${id}/${operation}`);
        if (operation === 'refund') {
          for (const id of [kept, lost]) await world.rest('POST', `/ap2/payments/${id}/capture`);
        }
        await stripe.webhooks.settled();
        return {
          fail: async () => {
            for (const id of [kept, lost]) assert.equal((await ask(id)).body.status, before);
            await status(kept, after);
            assert.equal((await ask(lost)).status, 409, 'one at a time');
          },
          recover: async () => {
            await until('another try', async () => (await ask(lost)).status === 200);
            await status(lost, after);
            for (const id of [kept, lost]) {
              const times = (await evidence(id)).filter((type) => type === `PAYMENT_${after}`);
              assert.equal(times.length, 1, `${operation} of each once`);
            }
          },
        };
      };
      const all = [
        await follow('capture', 'AUTHORIZED', 'CAPTURED'),
        await follow('cancel', 'AUTHORIZED', 'CANCELED'),
        await follow('refund', 'CAPTURED', 'REFUNDED'),
      ];
      stripe.webhooks.delivery = 'never';
      stripe.faultOf = ({ method, key }) => {
        if (method !== 'POST') return undefined;
        return found.has(key?.split(':')[0] ?? '') ? 'error500Stored' : 'closeBeforeCommit';
      };
      await Promise.all(all.map(({ fail }) => fail()));
      await new Promise((resolve) => setTimeout(resolve, 3000));
      well();
      await Promise.all(all.map(({ recover }) => recover()));
    });
  });
}
