/** The package makes a random idempotency key of an empty one, or of one under another name, in silence: none may be so. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connectStripe } from '../../../src/extensions/stripe/connectStripe.ts';
import { stripeRail } from '../../../src/extensions/stripe/stripeRail.ts';
import type { RailRequest } from '../../../src/rails/rail.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, type StripeDouble, startStripe } from '../../support/stripe/double.ts';

describe('each request that changes something at Stripe', () => {
  let double: StripeDouble;
  before(async () => {
    double = await startStripe();
  });
  after(() => double.close());
  const rail = () => {
    const settings = { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET, timeoutSeconds: 5 };
    return stripeRail('CARD_RAIL', connectStripe({ ...settings, apiBase: double.url }), false);
  };
  const request = (mandateId: string): RailRequest => ({
    amountMinor: 1000,
    currency: 'USD',
    merchant: 'shop.example',
    mandateId,
    intentId: 'intent_1',
    transactionId: 'txn_1',
  });

  test('goes under the key of its attempt', async () => {
    const asked = request('pm_keys');
    const held = await rail().authorize('pm_keys', asked);
    assert.ok(held.kind === 'ok');
    const later = { ...asked, railId: held.railId };
    await rail().capture('att_capture', later);
    await rail().refund('att_refund', later);
    const other = await rail().authorize('pm_other', request('pm_other'));
    assert.ok(other.kind === 'ok');
    await rail().cancel('att_cancel', { ...request('pm_other'), railId: other.railId });
    const keys = double.requests.filter(({ method }) => method === 'POST').map(({ key }) => key);
    assert.deepEqual(keys, ['pm_keys', 'att_capture', 'att_refund', 'pm_other', 'att_cancel']);
  });

  test('is not sent under an empty key', async () => {
    const before = double.requests.length;
    await assert.rejects(rail().authorize('', request('pm_empty')), /idempotency key/);
    for (const operation of ['capture', 'cancel', 'refund'] as const) {
      const later = { ...request('pm_empty'), railId: 'pi_1' };
      await assert.rejects(rail()[operation]('', later), /idempotency key/);
    }
    assert.equal(double.requests.length, before);
  });
});
