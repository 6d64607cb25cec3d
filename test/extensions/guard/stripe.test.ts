/** The guard before Stripe's server: amounts in Stripe's smallest unit, from the arguments and the first text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardedClient, statusOf, textOf } from './doubles/guardedClient.ts';
import { StripeDouble } from './doubles/stripeDouble.ts';

const behind = (vendor: StripeDouble, more = '') =>
  guardedClient({ stripe: vendor }, { rest: `[[upstream]]\nname = "stripe"\npreset = "stripe"\n${more}` });

test('a charge is reserved in minor units, committed by its id, and its customer passes', async () => {
  const vendor = new StripeDouble();
  const guarded = await behind(vendor);
  const paid = await guarded.call('create_payment_intent', { amount: 1250, currency: 'usd', customer: 'cus_1' });
  assert.equal(statusOf(paid), 'paid');
  assert.equal([...guarded.node.reservations.values()][0]?.amount, 12.5);
  assert.equal(guarded.node.told[0]?.reference, 'pi_1');
  assert.equal(vendor.charged[0]?.['customer'], 'cus_1');
  await guarded.close();
});

test('where Stripe counts otherwise than ISO 4217 does, its own count is read', async () => {
  const guarded = await behind(new StripeDouble());
  guarded.node.cap = 1e6;
  const amounts = async (amount: number, currency: string) => {
    await guarded.call('create_payment_intent', { amount, currency });
    return [...guarded.node.reservations.values()].at(-1)?.amount;
  };
  assert.equal(await amounts(5000, 'jpy'), 5000);
  // Króna have no decimals, and are written with two zeros.
  assert.equal(await amounts(5000, 'isk'), 50);
  assert.equal(await amounts(1230, 'kwd'), 1.23);
  await guarded.close();
});

test('a refund has the currency of the account, and one without an amount is refused', async () => {
  const vendor = new StripeDouble();
  const guarded = await behind(vendor, 'currency = "EUR"\n');
  const refund = await guarded.call('create_refund', { payment_intent: 'pi_1', amount: 500 });
  assert.equal(statusOf(refund), 'paid');
  const [reserved] = [...guarded.node.reservations.values()];
  assert.deepEqual([reserved?.amount, reserved?.currency], [5, 'EUR']);
  const whole = await guarded.call('create_refund', { payment_intent: 'pi_1' });
  assert.match(textOf(whole), /The amount of create_refund is not at \$\.amount\. Nothing was sent\./);
  assert.equal(vendor.charged.length, 1);
  await guarded.close();
});

test('a declined card is released; tools without a rule are refused, and reading ones pass', async () => {
  const guarded = await behind(new StripeDouble());
  const declined = await guarded.call('create_payment_intent', {
    amount: 100,
    currency: 'usd',
    customer: 'cus_declined',
  });
  assert.equal(statusOf(declined), 'released');
  assert.equal((await guarded.call('cancel_subscription', { subscription: 'sub_1' })).isError, true);
  assert.equal((await guarded.call('list_payment_intents')).isError, undefined);
  await guarded.close();
});
