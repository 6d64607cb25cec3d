/** What the Stripe rail looks for, how long it looks, and when it stops. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { connectStripe } from '../../../src/extensions/stripe/connectStripe.ts';
import { stripeRail } from '../../../src/extensions/stripe/stripeRail.ts';
import type { Rail, RailAttempt } from '../../../src/rails/rail.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, type StripeDouble, startStripe } from '../../support/stripe/double.ts';

describe('a lookup at Stripe', () => {
  let double: StripeDouble;
  let rail: Rail;
  before(async () => {
    double = await startStripe();
    const settings = { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET, apiBase: double.url };
    rail = stripeRail('CARD_RAIL', connectStripe({ ...settings, timeoutSeconds: 5 }), false);
  });
  after(() => double.close());
  beforeEach(() => {
    double.requests.length = 0;
    double.indexed = false;
    double.listMs = 0;
  });

  const others = (count: number) => {
    for (let made = 0; made < count; made += 1) create(`pm_other${made}`);
  };
  const create = (mandate: string) =>
    double.intents.create({
      capture_method: 'manual',
      confirm: 'true',
      off_session: 'true',
      error_on_requires_action: 'true',
      payment_method: 'pm_card_visa',
      amount: '1000',
      currency: 'usd',
      metadata: { mandate },
    });
  const attempt = (key: string): RailAttempt => ({
    key,
    operation: 'authorize',
    createdAt: Date.now(),
    request: {
      amountMinor: 1000,
      currency: 'USD',
      merchant: 'shop.example',
      mandateId: key,
      intentId: 'intent_1',
      transactionId: 'txn_1',
    },
  });
  const never = new AbortController().signal;

  test('says that there is nothing once it has seen all there is', async () => {
    others(150);
    assert.equal(await rail.status(attempt('pm_none'), never), undefined);
  });

  test('gives up on a busy account after a bounded number of pages, and does not take it for nothing', async () => {
    create('pm_far');
    others(3000);
    const outcome = await rail.status(attempt('pm_far'), never);
    assert.equal(outcome?.kind, 'unknown');
    assert.ok(double.requests.length <= 25, `${double.requests.length} requests`);
  });

  test('finds a payment on a busy account by the search, once that has indexed it', async () => {
    double.indexed = true;
    assert.equal((await rail.status(attempt('pm_far'), never))?.kind, 'ok');
    assert.ok(double.requests.length <= 2);
  });

  test('fetches no page after its time is up', async () => {
    double.listMs = 100;
    const time = new AbortController();
    const looking = rail.status(attempt('pm_gone'), time.signal);
    while (double.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    time.abort();
    const before = double.requests.length;
    assert.equal((await looking)?.kind, 'unknown');
    assert.ok(double.requests.length <= before + 1);
  });

  test('counts what was refunded without the refunds that failed', async () => {
    const intent = create('pm_refunded');
    double.intents.capture(intent.id, {});
    double.refunds.create({ payment_intent: intent.id, amount: '300' });
    double.refunds.fail(double.refunds.create({ payment_intent: intent.id, amount: '200' }));
    assert.equal((await rail.snapshot?.(intent.id, never))?.refundedMinor, 300);
  });
});
