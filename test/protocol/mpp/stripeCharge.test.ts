/** Which challenge a shared payment token pays, what it costs, and what is said of those that it does not pay. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readChallenges } from '../../../protocol/mpp/challengeList.ts';
import { type ChargeCircumstances, type ChargeRefusal, chooseCharge } from '../../../protocol/mpp/stripeCharge.ts';

const NOW = Date.UTC(2026, 10, 28, 9);
const SHA = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU';
const NONE: ChargeCircumstances = { bodyDigest: undefined, now: NOW };

const DETAILS = { networkId: 'profile_shop', paymentMethodTypes: ['card', 'cashapp'], metadata: { k: 'v' } };
const REQUEST = { amount: '500', currency: 'usd', externalId: 'order_1', methodDetails: DETAILS };

function challenge(request: object = {}, more: object = {}): object {
  const expires = new Date(NOW + 300_000).toISOString();
  const names = { id: 'ch_1', realm: 'r', method: 'stripe', intent: 'charge' };
  return { ...names, expires, request: { ...REQUEST, ...request }, ...more };
}

function choose(received: readonly (string | object)[], circumstances: Partial<ChargeCircumstances> = {}) {
  return chooseCharge(readChallenges(received), { ...NONE, ...circumstances });
}

function refusalOf(
  received: readonly (string | object)[],
  circumstances?: Partial<ChargeCircumstances>,
): ChargeRefusal {
  const found = choose(received, circumstances);
  return 'refused' in found ? found.refused : assert.fail('it can be paid');
}

test('the first that can be paid is chosen, with all that a token needs', () => {
  const late = challenge({}, { id: 'late', expires: '2026-11-28T08:00:00Z' });
  const found = choose([challenge({}, { method: 'tempo' }), late, challenge(), challenge({}, { id: 'ch_2' })]);
  if (!('charge' in found)) assert.fail(found.refused.message);
  const { challenge: chosen, ...rest } = found.charge;
  assert.equal(chosen.id, 'ch_1');
  assert.deepEqual(rest, {
    amountMinor: 500,
    currency: 'USD',
    stripeAmount: 500,
    payee: 'profile_shop',
    externalId: 'order_1',
    paymentMethodTypes: ['card'],
    metadata: { k: 'v' },
    expiresAt: NOW + 300_000,
  });
});

describe('money is in the smallest units of Stripe', () => {
  const good: readonly (readonly [amount: unknown, currency: string, minor: number])[] = [
    ['500', 'jpy', 500],
    [500, 'USD', 500],
    ['00500', 'usd', 500],
    ['1230', 'kwd', 1230],
    ['50000', 'isk', 500],
    ['50000', 'huf', 50_000],
    ['700', 'ugx', 7],
    ['7', 'mga', 700],
  ];
  for (const [amount, currency, minor] of good) {
    test(`${amount} ${currency} is ${minor}`, () => {
      const found = choose([challenge({ amount, currency })]);
      assert.equal('charge' in found ? found.charge.amountMinor : found.refused.message, minor);
    });
  }
  const bad: readonly (readonly [amount: unknown, currency: unknown, why: RegExp])[] = [
    ['1231', 'kwd', /third decimal/],
    ['50050', 'isk', /not exactly/],
    ['0', 'usd', /asks for 0/],
    ['-5', 'usd', /no whole number/],
    ['5.00', 'usd', /no whole number/],
    [5.5, 'usd', /no whole number/],
    [1e21, 'usd', /no whole number/],
    ['1e3', 'usd', /no whole number/],
    [undefined, 'usd', /no whole number/],
    ['1234567890123456', 'usd', /no whole number/],
    ['999999999999999', 'mga', /too much/],
    ['500', 'usdc', /no currency/],
    ['500', undefined, /no currency/],
    ['500', 'xau', /no currency|cannot charge/],
  ];
  for (const [amount, currency, why] of bad) {
    test(`${amount} ${currency} is refused`, () => {
      const { code, message } = refusalOf([challenge({ amount, currency })]);
      assert.equal(code, 'BAD_REQUEST');
      assert.match(message, why);
    });
  }
});

describe('a digest', () => {
  const forms = [`sha-256=${SHA}=`, `sha-256=:${SHA}=:`, `sha-256=${SHA}`];
  for (const digest of forms) {
    test(`${digest} is of the body that was sent`, () => {
      for (const bodyDigest of forms) assert.ok('charge' in choose([challenge({}, { digest })], { bodyDigest }));
      const other = refusalOf([challenge({}, { digest })], { bodyDigest: `sha-256=${SHA.replace('4', '5')}` });
      assert.equal(other.code, 'BAD_REQUEST');
    });
  }
  test('needs the body’s', () => assert.equal(refusalOf([challenge({}, { digest: forms[0] })]).code, 'BAD_REQUEST'));
  test('of another kind is compared with nothing', () => {
    const { code } = refusalOf([challenge({}, { digest: 'md5=x' })], { bodyDigest: 'md5=x' });
    assert.equal(code, 'RAIL_UNAVAILABLE');
  });
  test('does not keep another challenge from being paid', () => {
    const found = choose([challenge({}, { digest: forms[0] }), challenge({}, { id: 'ch_2' })]);
    assert.equal('charge' in found && found.charge.challenge.id, 'ch_2');
  });
});

describe('a challenge that has expired', () => {
  const expires = new Date(NOW - 60_000).toISOString();
  test('is refused as a cart is', () => {
    const { code, message } = refusalOf([challenge({}, { expires }), challenge({}, { method: 'tempo' })]);
    assert.equal(code, 'CART_EXPIRED');
    assert.match(message, /expired 60 seconds ago.*clock/);
  });
  test('of a shop whose clock is behind is told apart', () => {
    const { message } = refusalOf([challenge({}, { expires })], { shopTime: NOW - 360_000 });
    assert.match(message, /clock is 6 minutes behind/);
    assert.doesNotMatch(refusalOf([challenge({}, { expires })], { shopTime: NOW }).message, /clock/);
  });
  test('at the very moment', () => {
    assert.equal(refusalOf([challenge({}, { expires: new Date(NOW).toISOString() })]).code, 'CART_EXPIRED');
  });
  test('never is not paid: servers take no answer to it', () => {
    const { code, message } = refusalOf([challenge({}, { expires: undefined })]);
    assert.equal(code, 'RAIL_UNAVAILABLE');
    assert.match(message, /says not when it expires/);
  });
});

describe('what cannot be paid is named', () => {
  const cases: Readonly<Record<string, readonly [received: readonly (string | object)[], message: RegExp]>> = {
    'other methods and intents, with schemes beside': [
      [challenge({}, { method: 'tempo' }), challenge({}, { intent: 'subscription' }), 'Bearer realm="x"'],
      /^Offered: tempo\/charge, stripe\/subscription, the scheme Bearer; this node pays stripe\/charge\.$/,
    ],
    nothing: [[], /^No payment is asked for\.$/],
    'what is malformed': [[challenge({}, { realm: '' })], /stripe\/charge has no realm\./],
    'no payee': [[challenge({ methodDetails: { ...DETAILS, networkId: '' } })], /no Stripe profile/],
    'no card': [
      [challenge({ methodDetails: { ...DETAILS, paymentMethodTypes: ['cashapp'] } })],
      /neither of card and link/,
    ],
    'no kinds of means': [[challenge({ methodDetails: { networkId: 'p' } })], /neither of card and link/],
  };
  for (const [name, [received, message]] of Object.entries(cases)) {
    test(name, () => {
      const refusal = refusalOf(received);
      assert.equal(refusal.code, 'RAIL_UNAVAILABLE');
      assert.match(refusal.message, message);
    });
  }
  test('an order that is no text', () => assert.equal(refusalOf([challenge({ externalId: 5 })]).code, 'BAD_REQUEST'));
});
