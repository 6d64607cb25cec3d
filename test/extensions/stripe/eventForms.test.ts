/** Events of Stripe: how old they may be, and that members named *_decimal, which have another form in each place, are not read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Stripe from 'stripe';
import { IntentAnswer } from '../../../src/extensions/stripe/answers.ts';
import { snapshotOf } from '../../../src/extensions/stripe/outcomes.ts';
import { stripeEvents } from '../../../src/extensions/stripe/stripeEvents.ts';

const SECRET = 'whsec_of_the_test';
const NOW = Date.now();

const nothing = JSON.stringify({ id: 'evt_2', type: 'other', data: {} });

for (const [what, seconds, isTaken] of [
  ['300 seconds old', -300, true],
  ['301 seconds old', -301, false],
  ['an hour ahead', 3600, true],
] as const) {
  test(`an event whose signature is ${what} is ${isTaken ? 'taken' : 'refused'}`, () => {
    const timestamp = Math.floor(NOW / 1000) + seconds;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: nothing, secret: SECRET, timestamp });
    const read = () => stripeEvents(SECRET, false).read(new TextEncoder().encode(nothing), signature, NOW);
    if (isTaken) assert.equal(read().id, 'evt_2');
    else assert.throws(read, { code: 'BAD_REQUEST' });
  });
}

test('an event and a retrieved payment say the same in each form of decimals', () => {
  const charge = { currency: 'usd', amount_refunded: 100, amount_refunded_decimal: '100.000' };
  const object = {
    id: 'pi_1',
    status: 'succeeded',
    currency: 'usd',
    amount_received: 1000,
    amount_received_decimal: '1000.000',
    metadata: { mandate: 'pm_1' },
    latest_charge: charge,
  };
  const payload = JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', data: { object } });
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: SECRET,
    timestamp: Math.floor(NOW / 1000),
  });
  const { notice } = stripeEvents(SECRET, false).read(new TextEncoder().encode(payload), signature, NOW);
  const decimal = { coefficient: 1000n, toString: () => '1000' };
  const retrieved = {
    ...object,
    amount_received_decimal: decimal,
    latest_charge: { ...charge, amount_refunded_decimal: decimal },
  };
  assert.deepEqual(notice, { kind: 'payment', snapshot: snapshotOf(IntentAnswer.parse(retrieved)) });
});

test('an event that only names what it is about is told apart from one with a wrong signature', () => {
  const payload = JSON.stringify({ id: 'evt_1', object: 'v2.core.event', type: 'v2.core.account.updated' });
  const timestamp = Math.floor(NOW / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp });
  const read = (text: string, signed: string) => stripeEvents(SECRET, false).read(Buffer.from(text), signed, NOW);
  assert.throws(() => read(payload, signature), /takes snapshot events, and this is a thin one/);
  assert.throws(() => read('{"object":"event"}', signature), /does not vouch/);
});
