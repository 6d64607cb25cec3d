/** Chains that hold: what a verifier learns of them, and what it must remember. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Ap2Verifier, verifyAp2Chain } from '../../../protocol/sdjwt/ap2.ts';
import { joinChain, mintSdJwt, selective } from '../../../protocol/sdjwt/mint.ts';
import { sdHash } from '../../../protocol/sdjwt/sdHash.ts';
import { parseChain } from '../../../protocol/sdjwt/sdJwt.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import {
  AGENT,
  AT,
  AUD,
  CHECKOUT_JWT,
  checkoutJwt,
  closedCheckout,
  hop,
  NONCE,
  OTHER_AGENT,
  openCheckout,
  openPayment,
  PAYEES,
  PAYMENT,
  PROVIDER,
  paymentChain,
  RANGE,
  root,
  SHOP,
  salt,
  VERIFIER,
} from './chains.ts';

function holds(chain: string, expected: Partial<Ap2Verifier> = {}) {
  const result = verifyAp2Chain(chain, { ...VERIFIER, ...expected });
  assert.deepEqual(result.violations, []);
  assert.equal(result.valid, true);
  assert.ok(result.chain);
  return { ...result, chain: result.chain };
}

const BUDGET = { type: 'payment.budget', currency: 'USD', max: 1000.5 };
const MONTHLY = { type: 'payment.agent_recurrence', frequency: 'MONTHLY', max_occurrences: 12 };

test('a chain gives the closed mandate with every member, the hops, and the hashes that name it', () => {
  const closed = {
    ...PAYMENT,
    risk_data: { score: 1 },
    payment_instrument: { ...PAYMENT.payment_instrument, brand: 'x' },
  };
  const text = paymentChain([RANGE, PAYEES], closed);
  const { chain, hops } = holds(text);
  const [first, last] = parseChain(text);
  assert.deepEqual(chain.content, closed);
  assert.equal(chain.kind, 'payment');
  assert.equal(chain.rootJwtHash, sdHash('sha-256', first?.jwt ?? ''));
  assert.equal(chain.leafJwtHash, sdHash('sha-256', last?.jwt ?? ''));
  assert.equal(chain.openHash, last?.payload['sd_hash']);
  assert.equal(chain.transactionId, PAYMENT.transaction_id);
  assert.deepEqual(chain.open[0]?.constraints, [RANGE, { type: PAYEES.type, allowed: [SHOP] }]);
  assert.deepEqual(
    hops.map(({ typ, kid, vct, binding, aud, disclosed, hidden }) => ({
      typ,
      kid,
      vct,
      binding,
      aud,
      disclosed,
      hidden,
    })),
    [
      {
        typ: 'example+sd-jwt',
        kid: 'agent-provider-key-1',
        vct: 'mandate.payment.open.1',
        binding: undefined,
        aud: undefined,
        disclosed: 2,
        hidden: 0,
      },
      {
        typ: 'kb+sd-jwt',
        kid: 'agent-key-1',
        vct: 'mandate.payment.1',
        binding: 'sd_hash',
        aud: AUD,
        disclosed: 1,
        hidden: 0,
      },
    ],
  );
});

/** What a JWT signs: its signature has two forms, and uses are counted by neither. */
const signedIn = (jwt = '') => jwt.slice(0, jwt.lastIndexOf('.'));

describe('the limits of use are handed on, by what the JWT of the open mandate signs', () => {
  test('an open mandate without agent_recurrence is good for one use', () => {
    const text = paymentChain([RANGE, BUDGET]);
    const { chain } = holds(text);
    const jwtHash = sdHash('sha-256', signedIn(parseChain(text)[0]?.jwt));
    assert.deepEqual(chain.limits, [
      { hop: 0, jwtHash, isSingleUse: true, budget: { currency: 'USD', maxMinor: 100_050 } },
    ]);
  });

  test('with it, for as many as it says within its budget', () => {
    const { chain } = holds(paymentChain([RANGE, BUDGET, MONTHLY]));
    const [limit] = chain.limits;
    assert.equal(limit?.isSingleUse, false);
    assert.deepEqual(limit?.recurrence, { frequency: 'MONTHLY', maxOccurrences: 12 });
  });

  test('a budget is in major units of its own currency: 1000 yen are 1000', () => {
    const yen = { ...PAYMENT, payment_amount: { amount: 1000, currency: 'JPY' } };
    const { chain } = holds(paymentChain([{ ...BUDGET, currency: 'JPY', max: 1000 }], yen));
    assert.equal(chain.limits[0]?.budget?.maxMinor, 1000);
  });

  test('each open hop of a longer chain has its own', () => {
    const first = root(openPayment([RANGE]));
    const second = hop(first, openPayment([{ ...RANGE, max: 6000 }], OTHER_AGENT));
    const text = joinChain([first, second, hop(second, PAYMENT, { signer: OTHER_AGENT })]);
    const { chain } = holds(text, { hops: [{}, { aud: ['agent-2'], nonce: 'n-1' }] });
    assert.deepEqual(
      chain.limits.map(({ hop: at, jwtHash }) => [at, jwtHash]),
      parseChain(text)
        .slice(0, 2)
        .map(({ jwt }, at) => [at, sdHash('sha-256', signedIn(jwt))]),
    );
  });
});

describe('what keeps to the rules holds', () => {
  test('a disclosure may be withheld from a hop that is bound by issuer_jwt_hash', () => {
    const first = root(openPayment([{ ...PAYEES, allowed: [selective({ id: 'x' }), selective(SHOP)] }]));
    const last = hop(first, PAYMENT, { binding: 'issuer_jwt_hash' });
    const { hops } = holds(joinChain([first.replace(/~[^~]+~/, '~'), last]));
    assert.deepEqual([hops[0]?.disclosed, hops[0]?.hidden], [2, 1]);
  });

  test('a person signs the closed mandate directly, for one verifier', () => {
    const direct = (payload: object) =>
      mintSdJwt({
        typ: 'dc+sd-jwt',
        payload: { delegate_payload: [selective(PAYMENT)], ...payload },
        signer: PROVIDER,
        salt,
      });
    const { chain } = holds(direct({ iat: AT, aud: AUD, nonce: NONCE }));
    assert.equal(chain.openHash, undefined);
    assert.deepEqual(chain.limits, []);
    assert.match(verifyAp2Chain(direct({ iat: AT }), VERIFIER).reason ?? '', /names no aud/);
    assert.match(verifyAp2Chain(direct({ iat: AT, aud: AUD, nonce: 'x' }), VERIFIER).reason ?? '', /Its nonce/);
  });

  for (const algorithm of ['sha-256', 'sha-384', 'sha-512'] as const) {
    test(`digests by ${algorithm}: the next hop is bound by the algorithm of the one before`, () => {
      const payload = { delegate_payload: [selective(openPayment([RANGE, PAYEES]))] };
      const first = mintSdJwt({ typ: 'x', payload, signer: PROVIDER, salt, algorithm });
      const bound = { sd_hash: sdHash(algorithm, first) };
      holds(joinChain([first, hop(first, PAYMENT, { payload: bound })]));
    });
  }

  test('clocks may differ by 300 seconds, and no more', () => {
    const first = root(openPayment([], AGENT, { iat: AT, exp: AT + 10 }));
    const text = joinChain([first, hop(first, PAYMENT)]);
    holds(text, { at: AT - 300 });
    holds(text, { at: AT + 310 });
    assert.match(verifyAp2Chain(text, { ...VERIFIER, at: AT - 301 }).reason ?? '', /future/);
    assert.match(verifyAp2Chain(text, { ...VERIFIER, at: AT + 311 }).reason ?? '', /expired/);
  });

  test('an expired mandate has the code of UCP beside ours', () => {
    const { violations } = verifyAp2Chain(paymentChain(), { ...VERIFIER, at: AT + 3901 });
    assert.deepEqual(
      violations.map(({ code, ucp }) => [code, ucp]),
      [['MANDATE_INVALID', 'mandate_expired']],
    );
  });

  const PISP = { legal_name: 'Pay Ltd', brand_name: 'Pay', domain_name: 'pay.example' };
  const KEPT: Readonly<Record<string, readonly [constraint: object, closed?: object]>> = {
    'the most of a range': [{ ...RANGE, max: 5000 }],
    'the least of a range': [{ ...RANGE, min: 5000 }],
    'a payee by its id, under another name': [{ ...PAYEES, allowed: [{ id: SHOP.id, name: 'Formerly' }] }],
    'a payee by name and website where one has no id': [
      { ...PAYEES, allowed: [{ name: SHOP.name, website: SHOP.website }] },
    ],
    'an instrument by its id': [
      { type: 'payment.allowed_payment_instruments', allowed: [{ id: 'card-1', type: 'other' }] },
    ],
    'a PISP by its three names': [
      { type: 'payment.allowed_pisps', allowed: [PISP] },
      { ...PAYMENT, pisp: PISP },
    ],
    'now, where no execution date is named': [
      { type: 'payment.execution_date', not_before: '2026-11-01', not_after: '2026-11-30T00:00:00+02:00' },
    ],
    'the last moment of a window': [
      { type: 'payment.execution_date', not_after: '2027-01-01T00:00:00Z' },
      { ...PAYMENT, execution_date: '2026-12-31T23:00:00-01:00' },
    ],
    'the whole budget': [{ type: 'payment.budget', currency: 'USD', max: 50 }],
  };
  for (const [name, [constraint, closed = PAYMENT]] of Object.entries(KEPT)) {
    test(`constraint kept: ${name}`, () => void holds(paymentChain([constraint], closed)));
  }
});

describe('a list of which nothing is disclosed', () => {
  const hidden = { '...': sdHash('sha-256', 'of a disclosure that is not here') };
  for (const [type, closed] of [
    ['payment.allowed_payees', PAYMENT],
    ['payment.allowed_payment_instruments', PAYMENT],
  ] as const) {
    for (const [what, allowed] of [
      ['empty', []],
      ['hidden', [hidden]],
    ] as const) {
      test(`allows no payee or item: ${type}, ${what}`, () => {
        const judged = verifyAp2Chain(paymentChain([{ type, allowed }], closed), VERIFIER);
        assert.equal(judged.valid, false);
        assert.match(String(judged.reason), /is none of the 0 disclosed/);
      });
    }
  }

  test('allows no merchant', () => {
    for (const allowed of [[], [hidden]]) {
      const first = root(openCheckout([{ type: 'checkout.allowed_merchants', allowed }]));
      const judged = verifyAp2Chain(joinChain([first, hop(first, closedCheckout(CHECKOUT_JWT))]), VERIFIER);
      assert.match(String(judged.reason), /is none of the 0 disclosed/);
    }
  });
});

describe('a payment and the checkout that it is for', () => {
  const shoes = {
    type: 'checkout.line_items',
    items: [{ id: 'a', acceptable_items: [selective({ id: 'shoes' })], quantity: 1 }],
  };
  const merchants = { type: 'checkout.allowed_merchants', allowed: [selective(SHOP)] };
  const open = root(openCheckout([shoes, merchants]));
  const checkoutMandate = joinChain([open, hop(open, closedCheckout(CHECKOUT_JWT), { payload: { aud: 'merchant' } })]);
  const reference = { type: 'payment.reference', conditional_transaction_id: sdHash('sha-256', open) };

  test('holds with the checkout mandate, its JWT, its hash, and the hash of the open one', () => {
    const text = paymentChain([RANGE, reference]);
    const checkoutJwtHash = PAYMENT.transaction_id;
    holds(text, { checkoutMandate, checkoutJwt: CHECKOUT_JWT, checkoutJwtHash });
    holds(text, { openCheckoutHash: sdHash('sha-256', open), checkoutJwtHash });
    holds(text, { openCheckoutHash: sdHash('sha-256', open), checkoutMandate });
  });

  test('the checkout mandate alone holds at its merchant', () => {
    const { chain } = holds(checkoutMandate, { aud: ['merchant'], checkoutJwt: CHECKOUT_JWT });
    assert.equal(chain.kind, 'checkout');
    assert.equal(chain.transactionId, PAYMENT.transaction_id);
    assert.deepEqual(chain.limits, []);
  });

  test('two requirements share what is bought: each item fills one place', () => {
    const either = {
      type: 'checkout.line_items',
      items: [
        { id: 'a', acceptable_items: [{ id: 'red' }, { id: 'blue' }], quantity: 2 },
        { id: 'b', acceptable_items: [{ id: 'red' }], quantity: 1 },
      ],
    };
    const judged = (lines: Parameters<typeof checkoutJwt>[0]) => {
      const first = root(openCheckout([either]));
      return verifyAp2Chain(joinChain([first, hop(first, closedCheckout(checkoutJwt(lines)))]), VERIFIER).valid;
    };
    assert.equal(
      judged([
        { id: 'red', quantity: 1 },
        { id: 'blue', quantity: 2 },
      ]),
      true,
    );
    assert.equal(judged([{ id: 'red', quantity: 3 }]), true);
    assert.equal(judged([{ id: 'blue', quantity: 3 }]), false);
  });
});

test('a chain with any character altered is refused', () => {
  const first = root(openPayment([RANGE, PAYEES]));
  const chains = [paymentChain(), joinChain([first, hop(first, PAYMENT, { binding: 'issuer_jwt_hash' })])];
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~= "'];
  fc.assert(
    fc.property(fc.constantFrom(...chains), fc.nat(), fc.constantFrom(...alphabet), (text, nat, other) => {
      const at = nat % text.length;
      fc.pre(text[at] !== other);
      assert.equal(isValid(text.slice(0, at) + other + text.slice(at + 1)), false);
    }),
    { numRuns: 500 },
  );
});

function isValid(text: string): boolean {
  try {
    return verifyAp2Chain(text, VERIFIER).valid;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
