/**
 * The reference implementation of Verifiable Intent 0.1 and the node judge each other's purchases alike. It is none of this project's
 * packages: VI_REFERENCE_PATH names where Python finds it (`src` of agent-intent/verifiable-intent, or of a fork), and without it nothing is played.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PublicJwk } from '../../protocol/jwk/jwk.ts';
import { sdHash } from '../../protocol/sdjwt/sdHash.ts';
import { type IntentLayers, verifyIntent } from '../../protocol/sdjwt/vi.ts';
import { AT, checkoutJwt, isSignedNatively } from '../protocol/sdjwt/chains.ts';
import {
  CLOSED_CHECKOUT,
  CLOSED_PAYMENT,
  checkoutView,
  closing,
  credential,
  delegated,
  ISSUER,
  immediate,
  openIntent,
  paymentView,
  VI_RANGE,
} from '../protocol/sdjwt/intents.ts';
import { askPython } from '../support/python.ts';

const PATH = process.env['VI_REFERENCE_PATH'];

interface Case {
  readonly payment: readonly object[];
  readonly checkout: readonly object[];
  /** Of the two merchants that layer 2 names; its view discloses the first. */
  readonly payee: 0 | 1;
  /** Of the two items that layer 2 names; its view discloses the first. */
  readonly item: 0 | 1;
  readonly quantity: number;
  readonly amount: number;
  readonly currency: string;
  readonly isImmediate: boolean;
}

interface Purchase extends IntentLayers {
  readonly key: PublicJwk;
  readonly at: number;
  readonly checkoutJwt: string;
}

interface Verdict {
  readonly valid: boolean;
  readonly violations: readonly string[];
}

const reference = <Answer>(asked: object) => askPython<readonly Answer[]>('test/python/vi_reference.py', PATH, asked);

function ours({ key, at, checkoutJwt: jwt, ...layers }: Purchase): Verdict {
  const { valid, violations } = verifyIntent(layers, {
    rootKey: () => key,
    isSigned: isSignedNatively,
    at,
    checkoutJwtHash: sdHash('sha-256', jwt),
  });
  return { valid, violations: violations.map(({ code, detail }) => `${code}: ${detail}`) };
}

const payment = (name: string, more: object) => ({ type: `mandate.payment.${name}`, ...more });
const payees = (...ids: readonly number[]) => payment('allowed_payees', { allowed: ids.map(merchant) });
const merchant = (number: number) => ({ id: `merchant_${number}`, name: number === 1 ? 'Shop' : 'Other' });
const RANGE = payment('amount_range', { currency: 'USD', max: 20_000, min: 1000 });
const BUDGET = payment('budget', { currency: 'USD', max: 50_000 });
const DATES = { start_date: '2026-01-01', end_date: '2099-01-01' };
const lines = (quantity: number, more: object = {}) => ({
  type: 'mandate.checkout.line_items',
  items: [{ id: 'line-1', acceptable_items: [{ id: 'shoes', title: 'Shoes' }], quantity }],
  match_mode: 'minimum',
  ...more,
});

const CASE: Case = {
  payment: [RANGE, payees(1, 2)],
  checkout: [lines(2)],
  ...{ payee: 0, item: 0, quantity: 1, amount: 5000, currency: 'USD', isImmediate: false },
};

const CASES: Readonly<Record<string, Partial<Case>>> = {
  'within its constraints': {},
  'at the most': { amount: 20_000, quantity: 2 },
  'over its range': { amount: 20_001 },
  'under its range': { amount: 999 },
  'in another currency': { currency: 'EUR' },
  'to a merchant that is allowed, and not disclosed': { payee: 1 },
  'to a merchant that is not allowed': { payment: [RANGE, payees(1)], payee: 1 },
  'of more than may be bought': { quantity: 3 },
  'of an item that is not acceptable': { item: 1 },
  'with something for each entry': { checkout: [lines(2, { match_mode: 'exact' })] },
  'in a match mode that is unknown': { checkout: [lines(2, { match_mode: 'some' })] },
  'without entries': { checkout: [lines(2, { items: [] })] },
  'with a subscription': {
    payment: [RANGE, payees(1), payment('recurrence', { frequency: 'YEAR', number: 3, ...DATES })],
  },
  'that recurs within a budget': {
    payment: [
      RANGE,
      payees(1),
      BUDGET,
      payment('agent_recurrence', { frequency: 'ON_DEMAND', max_occurrences: 3, ...DATES }),
    ],
  },
  'that recurs by the month': {
    payment: [RANGE, payees(1), BUDGET, payment('agent_recurrence', { frequency: 'MNTH', ...DATES })],
  },
  'with a payment constraint that is unknown': { payment: [RANGE, payees(1), payment('by_noon', {})] },
  'with a checkout constraint that is unknown': { checkout: [lines(2), { type: 'mandate.checkout.gift' }] },
  'that the person closed': { isImmediate: true },
};

/** Another character in the middle of the signature. */
function altered(token: string): string {
  const at = token.indexOf('~') - 40;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

describe('purchases of the reference implementation of Verifiable Intent', {
  skip: PATH === undefined ? 'VI_REFERENCE_PATH names no reference implementation of Verifiable Intent' : false,
}, () => {
  test('are valid here where they are valid there, and invalid where they are not', () => {
    const names = Object.keys(CASES);
    const minted = reference<Purchase>({ mint: names.map((name) => ({ ...CASE, ...CASES[name] })) });
    const there = reference<Verdict>({ verify: minted });
    minted.forEach((purchase, index) => {
      const here = ours(purchase);
      assert.equal(here.valid, there[index]?.valid, `${names[index]}\n${here.violations}\n${there[index]?.violations}`);
    });
    assert.ok(there.filter(({ valid }) => valid).length >= 7);
    assert.ok(there.filter(({ valid }) => !valid).length >= 10);
  });

  test('are refused here and there where a layer is altered, exchanged or late', () => {
    const [one, other] = reference<Purchase>({ mint: [CASE, CASE] }) as [Purchase, Purchase];
    const [closed] = reference<Purchase>({ mint: [{ ...CASE, isImmediate: true }] }) as [Purchase];
    const lies: readonly [string, Purchase][] = [
      ['an altered layer 1', { ...one, l1: altered(one.l1) }],
      ['an altered layer 2', { ...one, l2: altered(one.l2) }],
      ['an altered layer 3', { ...one, l3Payment: altered(String(one.l3Payment)) }],
      ['the layer 3 of another purchase', { ...one, l3Payment: other.l3Payment }],
      ['the layer 2 of another purchase', { ...one, l2: other.l2, l2Checkout: other.l2Checkout }],
      ['the layer 1 of another card', { ...one, l1: other.l1 }],
      ['the view of the other recipient', { ...one, l2: String(one.l2Checkout) }],
      ['another issuer', { ...one, key: other.key }],
      ['a layer 3 that has ended', { ...one, at: one.at + 601 }],
      ['a layer 3 for a layer 2 that is closed', { ...closed, l3Payment: one.l3Payment }],
      ['an altered layer 2 that the person closed', { ...closed, l2: altered(closed.l2) }],
    ];
    const there = reference<Verdict>({ verify: lies.map(([, lie]) => lie) });
    lies.forEach(([name, lie], index) => {
      assert.equal(there[index]?.valid, false, `there: ${name}`);
      assert.equal(ours(lie).valid, false, `here: ${name}`);
    });
  });

  test('are judged as ours are', () => {
    const jwt = checkoutJwt([{ id: 'shoes', quantity: 3 }]);
    const many = { ...CLOSED_CHECKOUT, checkout_jwt: jwt, checkout_hash: sdHash('sha-256', jwt) };
    const about = { key: ISSUER.jwk, at: AT, checkoutJwt: String(CLOSED_CHECKOUT['checkout_jwt']) };
    // The reference refuses a merchant's view where layer 1 names the card.
    const l1 = credential({ card_id: undefined });
    const full = openIntent(l1);
    const views = [paymentView(full), checkoutView(full)] as const;
    const bought = (paid = CLOSED_PAYMENT, checkout = CLOSED_CHECKOUT): Purchase => ({
      ...{ ...about, l1, l2: views[0], l2Checkout: views[1] },
      ...{ l3Payment: closing(views[0], paid), l3Checkout: closing(views[1], checkout) },
    });
    const { l2: seen, l3Payment, l1: withCard } = delegated({ payment: [VI_RANGE] });
    const dear = { ...CLOSED_PAYMENT, payment_amount: { amount: 20_001, currency: 'USD' } };
    const purchases: readonly [string, boolean, Purchase][] = [
      ['both views', true, bought()],
      ['the payment network alone', true, { ...about, l1: withCard, l2: seen, l3Payment }],
      ['closed by the person', true, { ...about, ...immediate() }],
      ['over its range', false, bought(dear)],
      [
        'of more than may be bought',
        false,
        bought({ ...CLOSED_PAYMENT, transaction_id: sdHash('sha-256', jwt) }, many),
      ],
      ['closed for another checkout', false, { ...about, ...immediate({}, CLOSED_PAYMENT, many) }],
    ];
    const there = reference<Verdict>({ verify: purchases.map(([, , purchase]) => purchase) });
    purchases.forEach(([name, valid, purchase], index) => {
      assert.equal(there[index]?.valid, valid, `there: ${name}: ${there[index]?.violations}`);
      assert.equal(ours(purchase).valid, valid, `here: ${name}: ${ours(purchase).violations}`);
    });
  });
});
