/** Amounts on the wire to Stripe, by a table that was written from Stripe's documents and not from the code. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import currencies from '../../../data/currencies.json' with { type: 'json' };
import { toMinor } from '../../../protocol/money.ts';
import { fromStripeAmount, toStripeAmount } from '../../../protocol/mpp/stripeAmount.ts';
import { connectStripe } from '../../../src/extensions/stripe/connectStripe.ts';
import { stripeRail } from '../../../src/extensions/stripe/stripeRail.ts';
import type { RailRequest } from '../../../src/rails/rail.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, type StripeDouble, startStripe } from '../../support/stripe/double.ts';

/** Currency, amount as a person writes it, `amount` as Stripe is told. */
const WIRE: readonly (readonly [string, number, number])[] = [
  ['USD', 10.99, 1099],
  ['EUR', 0.5, 50],
  ['GBP', 1234.56, 123_456],
  ['CHF', 99.95, 9995],
  ['CAD', 7, 700],
  ['BRL', 19.9, 1990],
  ['INR', 149.5, 14_950],
  ['HUF', 1990.5, 199_050],
  ['TWD', 300, 30_000],
  ['IDR', 15_000, 1_500_000],
  ['COP', 25_000, 2_500_000],
  ['JPY', 500, 500],
  ['KRW', 12_000, 12_000],
  ['VND', 250_000, 250_000],
  ['CLP', 9990, 9990],
  ['XAF', 1000, 1000],
  ['ISK', 5, 500],
  ['UGX', 3700, 370_000],
  ['MGA', 4500, 4500],
  ['KWD', 5.12, 5120],
  ['BHD', 1, 1000],
  ['JOD', 0.99, 990],
];

/** What cannot be charged, and a word of the reason. */
const REFUSED: readonly (readonly [string, number, RegExp])[] = [
  ['KWD', 5.124, /third decimal/],
  ['TND', 0.001, /third decimal/],
  ['MGA', 4500.2, /whole units/],
  ['IQD', 1000, /cannot charge IQD/],
  ['KPW', 10, /cannot charge KPW/],
  ['CLF', 1, /cannot charge CLF/],
];

describe('amounts for Stripe', () => {
  let double: StripeDouble;
  before(async () => {
    double = await startStripe();
  });
  after(() => double.close());
  const rail = () => {
    const settings = { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET, timeoutSeconds: 5 };
    return stripeRail('CARD_RAIL', connectStripe({ ...settings, apiBase: double.url }), false);
  };
  const request = (currency: string, amount: number): RailRequest => ({
    amountMinor: toMinor(amount, currency),
    currency,
    merchant: 'shop.example',
    mandateId: `pm_${currency}${amount}`,
    intentId: 'intent_1',
    transactionId: 'txn_1',
  });

  for (const [currency, amount, expected] of WIRE) {
    test(`${amount} ${currency} is ${expected} on the wire`, async () => {
      const asked = request(currency, amount);
      const outcome = await rail().authorize(asked.mandateId, asked);
      assert.equal(outcome.kind, 'ok');
      const sent = double.requests.find(({ key }) => key === asked.mandateId);
      assert.equal(sent?.form.amount, String(expected));
      assert.equal(sent?.form.currency, currency.toLowerCase());
      assert.equal(fromStripeAmount(expected, currency), asked.amountMinor);
    });
  }

  for (const [currency, amount, reason] of REFUSED) {
    test(`${amount} ${currency} is refused before Stripe is asked`, async () => {
      const asked = request(currency, amount);
      const outcome = await rail().authorize(asked.mandateId, asked);
      assert.ok(outcome.kind === 'declined');
      assert.equal(outcome.code, 'amount_not_chargeable');
      assert.match(outcome.message, reason);
      assert.equal(double.requests.filter(({ key }) => key === asked.mandateId).length, 0);
    });
  }

  test('what can be charged reads back as the same amount, for every currency', () => {
    const any = fc.tuple(fc.constantFrom(...Object.keys(currencies)), fc.integer({ min: 1, max: 99_999_999 }));
    fc.assert(
      fc.property(any, ([currency, minor]) => {
        const converted = toStripeAmount(minor, currency);
        if ('amount' in converted) assert.equal(fromStripeAmount(converted.amount, currency), minor);
      }),
    );
  });
});
