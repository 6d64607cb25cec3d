/**
 * The reference SDK of AP2 v0.2 and the node judge each other's chains alike. The SDK is none of this project's packages: AP2_SDK_PATH
 * names where Python finds it (code/sdk/python of google-agentic-commerce/AP2, with jwcrypto and sd-jwt), and without it nothing is played.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PublicJwk } from '../../protocol/jwk/jwk.ts';
import { verifyAp2Chain } from '../../protocol/sdjwt/ap2.ts';
import { joinChain, selective } from '../../protocol/sdjwt/mint.ts';
import { sdHash } from '../../protocol/sdjwt/sdHash.ts';
import { parseChain } from '../../protocol/sdjwt/sdJwt.ts';
import { mintMandates } from '../../protocol/ucp/mintMandates.ts';
import {
  AT,
  CHECKOUT_JWT,
  closedCheckout,
  hop,
  isSignedNatively,
  OTHER_AGENT,
  openCheckout,
  openPayment,
  PAYMENT,
  PROVIDER,
  RANGE,
  root,
  SHOP,
  salt,
} from '../protocol/sdjwt/chains.ts';
import { askPython } from '../support/python.ts';
import { ucpBusiness } from '../support/ucpBusiness.ts';

const PATH = process.env['AP2_SDK_PATH'];

interface Case {
  readonly kind: 'payment' | 'checkout';
  readonly hops: number;
  readonly constraints: readonly object[];
  readonly closed: object;
  readonly preset?: object;
  readonly binding?: 'sd_hash' | 'issuer_jwt_hash';
}

interface Chain {
  readonly token: string;
  readonly kind: 'payment' | 'checkout';
  readonly trustedJwk: PublicJwk;
  readonly at: number;
  readonly transactionId: string;
  readonly openCheckoutHash?: string;
}

interface Verdict {
  readonly valid: boolean;
  readonly violations: readonly string[];
}

const sdk = <Answer>(asked: object) => askPython<readonly Answer[]>('test/python/ap2_sdk.py', PATH, asked);

/** Another character in the middle of the first signature. */
function altered(chain: string): string {
  const at = chain.indexOf('~') - 40;
  return `${chain.slice(0, at)}${chain[at] === 'A' ? 'B' : 'A'}${chain.slice(at + 1)}`;
}

function ours({ token, trustedJwk, at, transactionId, openCheckoutHash }: Chain): Verdict {
  const { valid, violations } = verifyAp2Chain(token, {
    rootKey: () => trustedJwk,
    isSigned: isSignedNatively,
    aud: ['verifier'],
    nonce: 'nonce-of-the-verifier',
    at,
    checkoutJwtHash: transactionId,
    openCheckoutHash,
  });
  return { valid, violations: violations.map(({ code, detail }) => `${code}: ${detail}`) };
}

const OTHER_SHOP = { id: 'merchant_2', name: 'Other', website: 'https://other.example' };
const PISP = { legal_name: 'Pay Ltd', brand_name: 'Pay', domain_name: 'pay.example' };
const at = (of: object, name: string) => ({ ...of, type: `payment.${name}` });
const allowed = (name: string, ...list: readonly object[]) => at({ allowed: list }, name);
const BUDGET = at({ max: 1000, currency: 'USD' }, 'budget');
const MONTHLY = at({ frequency: 'MONTHLY', max_occurrences: 3 }, 'agent_recurrence');

/** By constraint: one that is kept and one that is not, with what the closed mandate has besides. */
const PAYMENTS: Readonly<Record<string, readonly [constraints: readonly object[], closed?: object]>> = {
  'no constraints': [[]],
  'within a range': [[RANGE]],
  'over a range': [[{ ...RANGE, max: 4999 }]],
  'under a range': [[{ ...RANGE, min: 5001 }]],
  'in another currency': [[{ ...RANGE, currency: 'EUR' }]],
  'to an allowed payee': [[allowed('allowed_payees', OTHER_SHOP, SHOP)]],
  'to another payee': [[allowed('allowed_payees', OTHER_SHOP)]],
  'by an allowed instrument': [[allowed('allowed_payment_instruments', { id: 'pm_card_visa', type: 'card' })]],
  'by another instrument': [[allowed('allowed_payment_instruments', { id: 'card-2', type: 'card' })]],
  'through an allowed PISP': [[allowed('allowed_pisps', PISP)], { pisp: PISP }],
  'through another PISP': [[allowed('allowed_pisps', PISP)], { pisp: { ...PISP, brand_name: 'Paye' } }],
  'within a window': [
    [at({ not_after: '2026-12-31T00:00:00Z' }, 'execution_date')],
    { execution_date: '2026-12-30T00:00:00Z' },
  ],
  'after a window': [
    [at({ not_after: '2026-12-31T00:00:00Z' }, 'execution_date')],
    { execution_date: '2027-01-01T00:00:00Z' },
  ],
  'within a budget': [[RANGE, BUDGET]],
  'over a budget': [[RANGE, { ...BUDGET, max: 49 }]],
  'with several constraints': [[RANGE, allowed('allowed_payees', SHOP), BUDGET]],
};

const shoes = (quantity: number) => ({
  type: 'checkout.line_items',
  items: [
    {
      id: 'a',
      acceptable_items: [
        { id: 'shoes', title: 'Shoes' },
        { id: 'boots', title: 'Boots' },
      ],
      quantity,
    },
  ],
});
const merchants = (shop: object) => ({ type: 'checkout.allowed_merchants', allowed: [shop] });

/** As UCP has a checkout, which the SDK parses. */
const UCP_JWT = [
  { alg: 'ES256', typ: 'JWT' },
  {
    id: 'checkout-of-the-test',
    merchant: SHOP,
    line_items: [
      {
        id: 'li_1',
        item: { id: 'shoes', title: 'Shoes', price: 5000 },
        quantity: 1,
        totals: [{ type: 'total', amount: 5000 }],
      },
    ],
    status: 'incomplete',
    currency: 'USD',
    totals: [{ type: 'total', amount: 5000 }],
    links: [{ type: 'terms_of_service', url: 'https://shop.example.com/tos' }],
  },
  { sig: 1 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');
const CHECKOUTS: Readonly<Record<string, readonly object[]>> = {
  'of what is required': [shoes(1)],
  'at an allowed merchant': [shoes(1), merchants(SHOP)],
  'at another merchant': [shoes(1), merchants(OTHER_SHOP)],
};

describe('chains of the reference SDK of AP2', {
  skip: PATH === undefined ? 'AP2_SDK_PATH names no AP2 SDK for Python' : false,
}, () => {
  const payments = Object.entries(PAYMENTS).flatMap(([name, [constraints, closed]]) =>
    (
      [
        ['sd_hash', 2],
        ['issuer_jwt_hash', 2],
        ['sd_hash', 3],
      ] as const
    ).map(([binding, hops]): [string, Case] => [
      `a payment ${name}, ${hops} hops by ${binding}`,
      { kind: 'payment', hops, constraints, closed: { ...PAYMENT, ...closed }, binding },
    ]),
  );
  const checkouts = Object.entries(CHECKOUTS).map(([name, constraints]): [string, Case] => [
    `a checkout ${name}`,
    {
      kind: 'checkout',
      hops: 2,
      constraints,
      closed: { checkout_jwt: UCP_JWT, checkout_hash: sdHash('sha-256', UCP_JWT) },
    },
  ]);

  test('are valid here where they are valid there, and invalid where they are not', () => {
    const cases = [...payments, ...checkouts];
    const minted = sdk<Chain>({ mint: cases.map(([, each]) => each) });
    const chains = minted.map((chain, index) => {
      const { kind } = (cases[index] as [string, Case])[1];
      const transactionId = kind === 'payment' ? PAYMENT.transaction_id : sdHash('sha-256', UCP_JWT);
      return { ...chain, kind, transactionId };
    });
    const there = sdk<Verdict>({ verify: chains });
    chains.forEach((chain, index) => {
      const here = ours(chain);
      assert.equal(
        here.valid,
        there[index]?.valid,
        `${cases[index]?.[0]}\n${here.violations}\n${there[index]?.violations}`,
      );
    });
    assert.ok(
      there.filter(({ valid }) => valid).length >= 24,
      `${there.filter(({ valid }) => valid).length} were valid`,
    );
    assert.ok(there.filter(({ valid }) => !valid).length >= 12);
  });

  test('take ours as we take theirs', () => {
    const first = root(openPayment([RANGE, { type: 'payment.allowed_payees', allowed: [selective(SHOP)] }]));
    const between = hop(first, openPayment([RANGE], OTHER_AGENT));
    const last = { payload: { aud: 'verifier', nonce: 'nonce-of-the-verifier' } };
    const open = root(openCheckout([shoes(1)]));
    const reference = { type: 'payment.reference', conditional_transaction_id: sdHash('sha-256', open) };
    const bound = root(openPayment([reference]));
    const recurring = (constraints: readonly object[]) => {
      const often = root(openPayment(constraints));
      return joinChain([often, hop(often, PAYMENT, last)]);
    };
    const good: Readonly<Record<string, string>> = {
      'two hops': joinChain([first, hop(first, PAYMENT, last)]),
      'two hops by issuer_jwt_hash': joinChain([first, hop(first, PAYMENT, { ...last, binding: 'issuer_jwt_hash' })]),
      'three hops': joinChain([first, between, hop(between, PAYMENT, { ...last, signer: OTHER_AGENT })]),
      'with a reference': joinChain([bound, hop(bound, PAYMENT, last)]),
      // The SDK itself cannot mint one: its frequency has no JSON.
      'recurring within a budget': recurring([RANGE, BUDGET, MONTHLY]),
    };
    const bad: Readonly<Record<string, string>> = {
      'an altered first token': altered(good['two hops'] ?? ''),
      'a dropped hop': joinChain(
        parseChain(good['three hops'] ?? '').flatMap(({ text }, at) => (at === 1 ? [] : [text])),
      ),
      'both bindings': joinChain([first, hop(first, PAYMENT, { payload: { ...last.payload, issuer_jwt_hash: 'x' } })]),
      'for another verifier': joinChain([first, hop(first, PAYMENT, { payload: { ...last.payload, aud: 'other' } })]),
      'over the range': joinChain([
        first,
        hop(first, { ...PAYMENT, payment_amount: { amount: 20_001, currency: 'USD' } }, last),
      ]),
      'recurring without a budget': recurring([RANGE, MONTHLY]),
      'for another checkout': joinChain([first, hop(first, { ...PAYMENT, transaction_id: 'x' }, last)]),
    };
    const chains = Object.entries({ ...good, ...bad }).map(([name, token]) => ({
      name,
      token,
      kind: 'payment' as const,
      trustedJwk: PROVIDER.jwk,
      at: AT,
      transactionId: sdHash('sha-256', CHECKOUT_JWT),
      openCheckoutHash: sdHash('sha-256', open),
    }));
    const there = sdk<Verdict>({ verify: chains });
    chains.forEach(({ name, ...chain }, index) => {
      assert.equal(there[index]?.valid, name in good, `there, ${name}: ${there[index]?.violations}`);
      assert.equal(ours(chain).valid, name in good, `here, ${name}`);
    });
  });

  test('takes the mandates by which a node completes a checkout of UCP', async () => {
    const shop = await ucpBusiness('shop.example');
    const checkout = await shop.checkout();
    const paid = { id: 'pm_1', rail: 'CARD_RAIL', merchant: 'shop.example', amountMinor: 5850, currency: 'USD' };
    const node = { jwk: { ...PROVIDER.jwk, kid: String(PROVIDER.jwk.kid) }, sign: PROVIDER.sign };
    const nonce = 'nonce-of-the-verifier';
    const minting = {
      signer: node,
      salt,
      terms: { audience: 'verifier', paymentAudience: 'verifier', nonce },
      now: AT * 1000,
      expiresAt: AT * 1000 + 900_000,
    };
    for (const checkoutJwt of [undefined, await shop.jwtOf(checkout)]) {
      const minted = mintMandates(checkout, checkoutJwt, paid, minting);
      const { checkoutMandate, paymentMandate, checkoutHash: transactionId } = minted;
      const about = { trustedJwk: PROVIDER.jwk, at: AT, transactionId };
      const chains = [
        { token: checkoutMandate, kind: 'checkout' as const, ...about },
        { token: paymentMandate, kind: 'payment' as const, ...about },
        { token: altered(checkoutMandate), kind: 'checkout' as const, ...about },
        { token: paymentMandate, kind: 'payment' as const, ...about, transactionId: 'of-another-checkout' },
        { token: paymentMandate, kind: 'payment' as const, ...about, at: AT + 900 + 301 },
      ];
      const there = sdk<Verdict>({ verify: chains });
      assert.deepEqual(
        there.map(({ valid }) => valid),
        [true, true, false, false, false],
        JSON.stringify(there),
      );
      assert.deepEqual(
        chains.map((chain) => ours(chain).valid),
        [true, true, false, false, false],
      );
    }
  });

  test('takes our checkout mandates', () => {
    const first = root(openCheckout([{ ...shoes(1) }, merchants(selective(SHOP) as object)]));
    const token = joinChain([
      first,
      hop(first, closedCheckout(UCP_JWT), { payload: { aud: 'verifier', nonce: 'nonce-of-the-verifier' } }),
    ]);
    const chain = {
      token,
      kind: 'checkout',
      trustedJwk: PROVIDER.jwk,
      at: AT,
      transactionId: sdHash('sha-256', UCP_JWT),
    } as const;
    const [there] = sdk<Verdict>({ verify: [chain] });
    assert.deepEqual(there?.violations, []);
    assert.deepEqual(ours(chain).violations, []);
  });
});
