/** Verifiable Intent 0.1: purchases that hold in their layers, and lies about each of these. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { PublicJwk } from '../../../protocol/jwk/jwk.ts';
import { verifyAp2Chain } from '../../../protocol/sdjwt/ap2.ts';
import { selective } from '../../../protocol/sdjwt/mint.ts';
import { sdHash } from '../../../protocol/sdjwt/sdHash.ts';
import { type IntentLayers, verifyIntent } from '../../../protocol/sdjwt/vi.ts';
import { AT, checkoutJwt, isSignedNatively, OTHER_AGENT, SHOP, STRANGER } from './chains.ts';
import {
  AGENT,
  CARD,
  CLOSED_CHECKOUT,
  CLOSED_PAYMENT,
  checkoutView,
  closing,
  credential,
  delegated,
  INTENT_CHECKOUT,
  ISSUER,
  immediate,
  NETWORK,
  openIntent,
  PERSON,
  paymentView,
  VI_RANGE,
  view,
} from './intents.ts';

type Verifier = Parameters<typeof verifyIntent>[1];

const VERIFIER: Verifier = {
  rootKey: () => ISSUER.jwk,
  isSigned: isSignedNatively,
  aud: [NETWORK],
  nonce: 'nonce-of-layer-3a',
  at: AT,
};

function holds(layers: IntentLayers, expected: Partial<Verifier> = {}) {
  const result = verifyIntent(layers, { ...VERIFIER, ...expected });
  assert.deepEqual(result.violations, []);
  assert.ok(result.chain);
  return { ...result, chain: result.chain };
}

describe('what holds', () => {
  test('a purchase that an agent closed, with both layers 3, each over its own view', () => {
    const { chain, hops } = holds(delegated(), {
      checkoutJwt: INTENT_CHECKOUT,
      hops: [
        {},
        { aud: ['https://agent.example'], nonce: 'nonce-of-layer-2' },
        {},
        { aud: [SHOP.website], nonce: 'nonce-of-layer-3b' },
      ],
    });
    assert.deepEqual(
      hops.map(({ layer }) => layer),
      ['L1', 'L2', 'L3a', 'L2', 'L3b'],
    );
    assert.deepEqual(chain.content, CLOSED_PAYMENT);
    assert.equal(chain.credential?.['card_id'], CARD);
    assert.deepEqual(
      chain.limits.map(({ hop, isSingleUse }) => [hop, isSingleUse]),
      [[1, true]],
    );
  });

  test('what is expected of layer 3a is not asked of layer 3b, and layer 3b has its own where it comes alone', () => {
    holds(delegated(), { hops: [{}, {}, { aud: [NETWORK], nonce: 'nonce-of-layer-3a' }] });
    const { l1, l2, l2Checkout, l3Checkout } = delegated();
    const alone = { l1, l2: l2Checkout ?? l2, l3Checkout };
    const at = (nonce: string) =>
      verifyIntent(alone, { ...VERIFIER, aud: undefined, nonce: undefined, hops: [{}, {}, {}, { nonce }] });
    const told = (nonce: string) => at(nonce).violations.some(({ detail }) => /nonce is not the one/.test(detail));
    assert.deepEqual([told('nonce-of-layer-3b'), told('former')], [false, true]);
  });

  test('to the payment network alone, which gets no checkout', () => {
    const { l1, l2, l3Payment } = delegated();
    const { chain, hops } = holds({ l1, l2, l3Payment });
    assert.equal(hops.length, 3);
    assert.equal(chain.kind, 'payment');
  });

  test('to the merchant alone, who gets no payment', () => {
    const { l1, l2Checkout: l2, l3Checkout } = delegated();
    const { chain } = holds({ l1, l2, l3Checkout }, { aud: [SHOP.website], nonce: 'nonce-of-layer-3b' });
    assert.equal(chain.kind, 'checkout');
    assert.equal(chain.transactionId, CLOSED_CHECKOUT['checkout_hash']);
  });

  test('a purchase that the person closed', () => {
    const { chain, hops } = holds(immediate());
    assert.equal(hops.length, 2);
    assert.deepEqual([chain.kind, chain.openHash, chain.limits], ['payment', undefined, []]);
  });

  test('what a ledger has to remember: a budget in minor units, a recurrence, a subscription', () => {
    const often = {
      type: 'mandate.payment.agent_recurrence',
      frequency: 'MONTHLY',
      start_date: '2026-01-01',
      end_date: '2026-11-21',
      max_occurrences: 3,
    };
    const budget = { type: 'mandate.payment.budget', currency: 'USD', max: 5000 };
    const charged = { type: 'mandate.payment.recurrence', frequency: 'MONTHLY', start_date: '2026-01-01', number: 12 };
    const { chain } = holds(delegated({ payment: [VI_RANGE, often, budget, charged] }));
    const [limit] = chain.limits;
    assert.deepEqual(
      [limit?.isSingleUse, limit?.recurrence, limit?.budget, limit?.subscription],
      [
        false,
        { frequency: 'MONTHLY', maxOccurrences: 3 },
        { currency: 'USD', maxMinor: 5000 },
        { frequency: 'MONTHLY', number: 12 },
      ],
    );
  });

  test('merchants are allowed by the payee, where one of the views discloses them', () => {
    const merchants = { type: 'mandate.checkout.allowed_merchants', allowed: [selective(SHOP)] };
    const l1 = credential();
    const full = openIntent(l1, { checkout: [merchants], payment: [VI_RANGE] });
    const l2 = view(full, 'mandate.payment.open.1');
    const l2Checkout = view(full, 'mandate.checkout.open.1', SHOP.website);
    holds({
      l1,
      l2,
      l2Checkout,
      l3Payment: closing(l2, CLOSED_PAYMENT),
      l3Checkout: closing(l2Checkout, CLOSED_CHECKOUT),
    });
  });
});

interface Lie {
  readonly layers: IntentLayers;
  readonly code: string;
  readonly says: RegExp;
  readonly expected?: Partial<Verifier>;
}

const lie = (layers: IntentLayers, says: RegExp, code = 'MANDATE_INVALID', expected: Partial<Verifier> = {}): Lie => ({
  layers,
  code,
  says,
  expected,
});

const GOOD = delegated();
const { l2Checkout: _view, l3Checkout: _l3b, ...NETWORK_GETS } = GOOD;

/** The same with other claims in one layer 3. */
function payingWith(close: Parameters<typeof closing>[2], payment = CLOSED_PAYMENT): IntentLayers {
  return { l1: GOOD.l1, l2: GOOD.l2, l3Payment: closing(GOOD.l2, payment, close) };
}

/** Over a layer 2 of its own. */
function over(open: Parameters<typeof openIntent>[1], l1 = credential()): IntentLayers {
  const l2 = paymentView(openIntent(l1, open));
  return { l1, l2, l3Payment: closing(l2, CLOSED_PAYMENT) };
}

function overCheckout(checkout: readonly unknown[], jwt = INTENT_CHECKOUT): IntentLayers {
  return delegated({ checkout }, CLOSED_PAYMENT, { ...CLOSED_CHECKOUT, checkout_jwt: jwt });
}

const constrained = (constraint: object, payment = CLOSED_PAYMENT) => delegated({ payment: [constraint] }, payment);
const shoes = (match_mode: string, ...ids: readonly string[]) => ({
  type: 'mandate.checkout.line_items',
  items: ids.map((id) => ({ id, acceptable_items: [{ id, title: id }], quantity: 1 })),
  match_mode,
});
const TWO_SHOES = checkoutJwt([{ id: 'shoes', quantity: 2 }]);

const LIES: Readonly<Record<string, Lie>> = {
  'layer 1 of an issuer that is not trusted': lie(
    { ...NETWORK_GETS, l1: credential({}, STRANGER) },
    /kid is not that of the trusted key/,
  ),
  'no trusted issuer': lie(NETWORK_GETS, /No trusted key/, 'MANDATE_INVALID', { rootKey: () => undefined }),
  'layer 1 that is another credential of the person': lie(
    { ...NETWORK_GETS, l1: credential() },
    /sd_hash is not that of the hop before/,
  ),
  'layer 1 without a type': lie(over({}, credential({ vct: undefined })), /no vct that is a URI/),
  'layer 1 that is bound to something': lie(over({}, credential({ sd_hash: 'x' })), /bound to a token before it/),
  'layer 1 of another card': lie(over({}, credential({ card_id: 'another' })), /another instrument than the card/),
  'an expired layer 1': lie(over({}, credential({ exp: AT - 301 })), /expired/),
  'layer 2 that outlives layer 1': lie(over({ claims: { exp: AT + 100_001 } }), /must expire, and not after layer 1/),
  'layer 2 without an end': lie(over({ claims: { exp: undefined } }), /must expire, and not after layer 1/),
  'layer 3 with the nonce of layer 2': lie(
    payingWith({ claims: { nonce: 'nonce-of-layer-2' } }),
    /has the nonce of layer 2/,
    'MANDATE_INVALID',
    { nonce: undefined },
  ),
  'layer 2 signed by the agent': lie(
    over({ signer: AGENT }),
    /Its kid is not that of the key that the hop before names/,
  ),
  'layer 2 that delegates nothing': lie(
    over({ claims: { delegate_payload: [] } }),
    /0 readable mandates|without its pair/,
  ),
  'a payment without its checkout': lie(over({ reference: 'another' }), /without its pair/),
  'a payment that refers to nothing': lie(over({ reference: '' }), /without its pair|no constraint/),
  'a third mandate': lie(
    over({ extra: [{ '...': 'hidden' }] }),
    /delegates 3 mandates, so that one is without its pair/,
  ),
  'a mandate that no digest names': lie(
    over({
      extra: [{ vct: 'mandate.checkout.open.1', cnf: { jwk: AGENT.jwk }, constraints: [] }],
      reference: 'undefined',
    }),
    /a mandate that no digest names|more than one pair/,
  ),
  'a disclosure in two pairs': lie(
    over({
      extra: [selective({ vct: 'mandate.payment.open.1', cnf: { jwk: AGENT.jwk }, constraints: [] }), { '...': 'x' }],
    }),
    /more than one pair/,
  ),
  'a digest that stands twice in delegate_payload': lie(
    over({ extra: [{ '...': 'x' }, { '...': 'x' }] }),
    /digest is there twice/,
  ),
  'a digest that stands twice in _sd': lie(twiceInSd(), /twice in _sd|not by the key/),
  'two agents': lie(twoAgents(), /different keys in cnf/),
  'layer 3 by another agent': lie(payingWith({ signer: OTHER_AGENT }), /Its kid is not that of the key/),
  'layer 3 without the name of its key': lie(
    payingWith({ signer: { jwk: AGENT.jwk, sign: AGENT.sign } }),
    /names no key in kid/,
  ),
  'layer 3 that delegates on': lie(
    payingWith({ claims: { cnf: { jwk: AGENT.jwk } } }),
    /last hop, and yet names a key/,
  ),
  'layer 3 for two hours': lie(payingWith({ claims: { exp: AT + 7200 } }), /expire within 3600 seconds/),
  'layer 3 without an end': lie(payingWith({ claims: { exp: undefined } }), /expire within 3600 seconds/),
  'layer 3 bound by issuer_jwt_hash': lie(
    payingWith({ claims: { sd_hash: undefined, issuer_jwt_hash: 'x' } }),
    /must be bound by sd_hash/,
  ),
  'layer 3 for another network': lie(payingWith({ claims: { aud: 'https://other.example' } }), /not for this verifier/),
  'layer 3 of another type': lie(payingWith({ typ: 'kb+sd-jwt' }), /typ must be kb-sd-jwt/),
  'layers 3 swapped': lie(
    { ...GOOD, l3Payment: GOOD.l3Checkout, l3Checkout: GOOD.l3Payment },
    /sd_hash is not that|no payment/,
  ),
  'a second view of another layer 2': lie({ ...GOOD, ...otherView() }, /two views are of two layers 2/),
  'a second view without its layer 3': lie({ ...NETWORK_GETS, l2Checkout: GOOD.l2Checkout }, /goes with both layers 3/),
  'an open layer 2 that nothing closes': lie({ l1: GOOD.l1, l2: GOOD.l2 }, /no layer 3 closes/),
  'a closed layer 2 with a layer 3': lie({ ...immediate(), l3Payment: GOOD.l3Payment }, /yet there is a layer 3/),
  'a closed layer 2 with a key': lie(
    immediate({}, { ...CLOSED_PAYMENT, cnf: { jwk: AGENT.jwk } }),
    /closed, and yet names a key/,
  ),
  'a closed layer 2 without its checkout': lie(
    immediate({ delegate_payload: [selective(CLOSED_PAYMENT), { '...': 'x' }] }),
    /no checkout/,
  ),
  'another checkout in layer 3b': lie(
    delegated({}, CLOSED_PAYMENT, { ...CLOSED_CHECKOUT, checkout_hash: 'x' }),
    /transaction_id is not the checkout_hash/,
    'CHECKOUT_MISMATCH',
  ),
  'another checkout JWT than its hash': lie(
    overCheckout([], TWO_SHOES),
    /checkout_hash is not that of its checkout_jwt/,
    'CHECKOUT_MISMATCH',
  ),
  'another checkout than the verifier has': lie(GOOD, /another checkout/, 'CHECKOUT_MISMATCH', {
    checkoutJwt: TWO_SHOES,
  }),
  'a closed layer 2 that is good for longer than the person looks at it': lie(
    immediate({ exp: AT + 901 }),
    /must expire within 900 seconds/,
  ),
  'a closed pair of two checkouts': lie(
    immediate({}, { ...CLOSED_PAYMENT, transaction_id: 'x' }),
    /transaction_id is not the checkout_hash/,
    'CHECKOUT_MISMATCH',
  ),
  'another instrument than the person set': lie(
    payingWith({}, { ...CLOSED_PAYMENT, payment_instrument: { id: 'x', type: 'network.card' } }),
    /another instrument than the person set/,
  ),
  'over the range': lie(constrained({ ...VI_RANGE, max: 4999 }), /more than 49\.99 USD/, 'AMOUNT_OVER_CAP'),
  'a range in fractions': lie(constrained({ ...VI_RANGE, max: 49.99 }), /malformed at "max"/),
  'a constraint that no view discloses': lie(constrained({ '...': 'hidden' }), /was withheld/, 'CONSTRAINT_UNRESOLVED'),
  'a checkout constraint that no view discloses': lie(
    delegated({ checkout: [{ '...': 'hidden' }] }),
    /was withheld/,
    'CONSTRAINT_UNRESOLVED',
  ),
  'a member of a mandate that no view discloses': lie(
    delegated({ checkoutMore: { _sd: ['digest-of-a-member'] } }),
    /A member of the open mandate was withheld/,
    'CONSTRAINT_UNRESOLVED',
  ),
  'constraints that are a disclosure of their own, and broken': lie(
    withConstraintsDisclosed(),
    /1 of the 1 items in the checkout are not among/,
    'CONSTRAINT_VIOLATED',
  ),
  'a constraint in the spelling of AP2': lie(
    constrained({ ...VI_RANGE, type: 'payment.amount_range' }),
    /not known/,
    'CONSTRAINT_UNRESOLVED',
  ),
  'a constraint that only AP2 has': lie(
    constrained({ type: 'mandate.payment.execution_date', not_after: '2099-01-01' }),
    /not known/,
    'CONSTRAINT_UNRESOLVED',
  ),
  'a constraint on the environment': lie(
    constrained({ type: 'environment.wallet_state' }),
    /not known/,
    'CONSTRAINT_UNRESOLVED',
  ),
  'over the budget, which is in cents': lie(
    constrained({ type: 'mandate.payment.budget', currency: 'USD', max: 4999 }),
    /more than the whole budget of 49\.99 USD/,
    'SPENDING_LIMIT_EXCEEDED',
  ),
  'under the least of a budget': lie(
    constrained({ type: 'mandate.payment.budget', currency: 'USD', max: 9000, min: 5001 }),
    /less than 50\.01 USD/,
    'CONSTRAINT_VIOLATED',
  ),
  'after the last day of a recurrence, though the agent says another date': lie(
    constrained(
      {
        type: 'mandate.payment.agent_recurrence',
        frequency: 'DAILY',
        start_date: '2026-01-01',
        end_date: '2026-11-20',
      },
      { ...CLOSED_PAYMENT, execution_date: '2026-11-19' },
    ),
    /after 2026-11-20T23:59:59\.999Z/,
    'TIME_WINDOW_VIOLATED',
  ),
  'a recurrence without a range and a budget': lie(
    constrained({ type: 'mandate.payment.agent_recurrence', frequency: 'WEEK' }),
    /need a constraint payment\.amount_range/,
    'CONSTRAINT_VIOLATED',
  ),
  'before the first day of a subscription': lie(
    constrained({ type: 'mandate.payment.recurrence', frequency: 'MONTHLY', start_date: '2027-01-01' }),
    /before 2027-01-01/,
    'TIME_WINDOW_VIOLATED',
  ),
  'more than is allowed': lie(
    delegated({ checkout: [shoes('minimum', 'boots')] }),
    /1 of the 1 items in the checkout are not among/,
    'CONSTRAINT_VIOLATED',
  ),
  'an exact match that misses an entry': lie(
    delegated({ checkout: [shoes('exact', 'shoes', 'socks')] }),
    /nothing for 1 of the 2 entries/,
    'CONSTRAINT_VIOLATED',
  ),
  'a match of another kind': lie(delegated({ checkout: [shoes('some', 'shoes')] }), /malformed at "match_mode"/),
};

/** A layer 3b over a layer 2 in which a person could withhold all constraints at once. */
function withConstraintsDisclosed(): IntentLayers {
  const l1 = credential();
  const full = openIntent(l1, { checkout: selective([shoes('minimum', 'boots')]) as readonly unknown[] });
  const l2 = view(full, 'mandate.checkout.open.1', 'match_mode');
  const claims = { aud: NETWORK, nonce: 'nonce-of-layer-3a' };
  return { l1, l2, l3Checkout: closing(l2, CLOSED_CHECKOUT, { claims }) };
}

/** A layer 2 whose `_sd` says one digest twice; signed by the person all the same. */
function twiceInSd(): IntentLayers {
  return over({ isMirrored: false, claims: { _sd: ['x', 'x'] } });
}

/** Each signs with the key that its mandate names. */
function twoAgents(): IntentLayers {
  const { l1, l2, l2Checkout, l3Payment } = delegated({ checkoutMore: { cnf: { jwk: OTHER_AGENT.jwk } } });
  return { l1, l2, l2Checkout, l3Payment, l3Checkout: closing(l2Checkout, CLOSED_CHECKOUT, { signer: OTHER_AGENT }) };
}

function otherView(): Partial<IntentLayers> {
  const l2Checkout = checkoutView(openIntent(GOOD.l1));
  return { l2Checkout, l3Checkout: closing(l2Checkout, CLOSED_CHECKOUT) };
}

describe('lies are refused', () => {
  for (const [name, { layers, code, says, expected }] of Object.entries(LIES)) {
    test(`${name}: ${code}`, () => {
      const result = verifyIntent(layers, { ...VERIFIER, ...expected });
      assert.equal(result.valid, false);
      const found = result.violations.find((violation) => violation.code === code && says.test(violation.detail));
      assert.ok(found, JSON.stringify(result.violations));
    });
  }

  test('a layer 2 is no chain of AP2: its digests are named twice', () => {
    const { l1: _, l2 } = immediate();
    const result = verifyAp2Chain(l2, { ...VERIFIER, rootKey: () => PERSON.jwk });
    assert.match(result.reason ?? '', /digest is there twice/);
  });

  test('a text that is no SD-JWT is told apart', () => {
    assert.throws(() => verifyIntent({ ...NETWORK_GETS, l1: 'x' }, VERIFIER), {
      code: 'BAD_REQUEST',
      message: /of l1, an SD-JWT ends/,
    });
    assert.throws(() => verifyIntent({ l1: 'e'.repeat(40_000), l2: 'e'.repeat(40_000) }, VERIFIER), {
      message: /80000 characters/,
    });
  });
});

/** test-vectors/vectors.json of a port of Verifiable Intent: not ours to copy. */
const VECTORS = process.env['VI_VECTORS'] ?? '';
const isThere = existsSync(VECTORS);
const skip = isThere ? false : 'VI_VECTORS names no vectors.json of Verifiable Intent';
type Row = Readonly<Record<string, string | null | undefined>>;

function golden<Case>(name: string): readonly Case[] {
  return isThere ? JSON.parse(readFileSync(VECTORS, 'utf8')).verification_conformance[name] : [];
}

describe('golden chains of the ports', { skip }, () => {
  for (const row of golden<Row>('chain_scenarios')) {
    // The ports may be told to trust any issuer; a node is never.
    const isValid = Boolean(row['expected_valid']) && !row['skip_issuer_verification'];
    test(`${row['name']}: ${isValid ? 'holds' : 'is refused'}`, () => {
      const result = verifyIntent(layersOf(row), { isSigned: isSignedNatively, ...verifierOf(row) });
      assert.equal(result.valid, isValid, result.reason);
    });
  }
});

function layersOf(row: Row): IntentLayers {
  return {
    l1: String(row['l1']),
    l2: String(row['l2_payment_serialized'] ?? row['l2']),
    l3Payment: row['l3_payment'] ?? undefined,
    l3Checkout: row['l3_checkout'] ?? undefined,
    l2Checkout: row['l2_checkout_serialized'] ?? undefined,
  };
}

function verifierOf(row: Row): Omit<Verifier, 'isSigned'> {
  const expected = (layer: string) => {
    const [aud, nonce] = [row[`expected_${layer}_aud`], row[`expected_${layer}_nonce`]];
    return { aud: aud ? [aud] : undefined, nonce: nonce ?? undefined };
  };
  const issuer = row['issuer_public'] as unknown as PublicJwk | null;
  return {
    rootKey: () => issuer ?? undefined,
    at: Number(row['current_time']),
    ...expected(row['l3_payment'] ? 'l3_payment' : 'l2'),
    hops: [{}, expected('l2'), {}, expected('l3_checkout')],
  };
}

interface ConstraintCase {
  readonly name: string;
  readonly constraints: readonly { readonly type: string }[];
  readonly fulfillment: { readonly line_items?: Parameters<typeof checkoutJwt>[0] } & Readonly<Record<string, unknown>>;
  readonly mode: string;
  readonly expected: { readonly satisfied: boolean };
}

describe('golden constraints of the ports', { skip }, () => {
  for (const { name, constraints, fulfillment, mode, expected } of golden<ConstraintCase>('constraint_cases')) {
    // Their permissive mode lets an unknown constraint pass; here none does.
    const isKept = expected.satisfied && !(mode === 'permissive' && name.startsWith('unknown'));
    test(`${name}: ${isKept ? 'kept' : 'broken'}`, () => {
      const { line_items: lines, ...payment } = fulfillment;
      const jwt = lines === undefined ? INTENT_CHECKOUT : checkoutJwt(lines);
      const hash = sdHash('sha-256', jwt);
      const of = constraints.every(({ type }) => type.startsWith('mandate.checkout.')) ? 'checkout' : 'payment';
      const layers = delegated(
        { [of]: constraints },
        { ...CLOSED_PAYMENT, ...payment, transaction_id: hash },
        { ...CLOSED_CHECKOUT, checkout_jwt: jwt, checkout_hash: hash },
      );
      assert.equal(verifyIntent(layers, VERIFIER).valid, isKept);
    });
  }
});
