/** An account at the rail with so many payments that a look never ends must not keep a payment from being settled. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type StripeDouble, startStripe } from '../support/stripe/double.ts';
import { until } from '../support/until.ts';
import { makeWorld, type World } from '../support/world.ts';

const OTHERS = 2500;

for (const engine of everyEngine()) {
  describe(`a busy account at Stripe behind a node on ${engine.name}`, () => {
    let world: World;
    let stripe: StripeDouble;
    before(async () => {
      stripe = await startStripe();
      world = await makeWorld(engine, { ...stripe.env(), RAIL_TIMEOUT_SECONDS: '1', RAIL_RETRY_SECONDS: '0' });
    });
    after(async () => {
      await stripe.close();
      await world.close();
    });

    test('does not keep the same request from being sent again, and is not read on after the time-out', async () => {
      stripe.webhooks.delivery = 'never';
      stripe.listMs = 300;
      let lost = 0;
      stripe.faultOf = ({ method }) => (method === 'POST' && lost++ < 14 ? 'closeBeforeCommit' : undefined);
      const mandateId = mandateIdOf(await purchase(world, 10));
      const sent = stripe.requests.find(({ key }) => key === mandateId);
      for (let made = 0; made < OTHERS; made += 1) {
        stripe.intents.create({ ...sent?.form, metadata: { mandate: `pm_other${made}` } });
      }
      const status = async () => (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status;
      await until(
        'a look',
        async () => stripe.requests.some(({ path, form }) => path === '/v1/payment_intents' && !!form.limit),
        20_000,
      );
      await until('the settlement', async () => (await status()) === 'AUTHORIZED', 20_000);
      const listed = stripe.requests.filter(({ method, path }) => method === 'GET' && path === '/v1/payment_intents');
      const pages = new Set(listed.map(({ form }) => String(form.starting_after)));
      assert.ok(pages.size <= 5, `${pages.size} pages deep within one second a look`);
    });
  });
}
