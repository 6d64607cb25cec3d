/**
 * Verifiable Intent 0.1: a card issuer's credential names a person's key (layer 1), the person signs a pair of mandates (layer 2),
 * and where these are open, an agent closes each (layers 3a and 3b). Each layer is a text of its own, bound to the view of the one
 * before that its recipient is given.
 */
import type { ChainProfile, Layer } from './chainProfile.ts';
import { allowedMerchants, cappedItems } from './checkoutConstraints.ts';
import { type ConstraintRule, judgeConstraints } from './constraint.ts';
import { type ExpectedCheckout, expectCheckout } from './expectedCheckout.ts';
import { claimsOf, type Hop, mandatesOf } from './hop.ts';
import { disclosedByAny, type IntentPair, pairIn } from './intentPair.ts';
import {
  type ChainResult,
  chainResult,
  closingOf,
  jwtHashOf,
  type MandateChain,
  presetViolations,
  useLimitOf,
} from './mandateChain.ts';
import { ClosedCheckout, ClosedPayment, placeOf, termsOfIntentCheckout } from './mandateContent.ts';
import { merchantViolations } from './merchantSignatures.ts';
import {
  allowedPayees,
  checkoutReference,
  datedRecurrence,
  minorBudget,
  openRange,
  Subscription,
  subscription,
} from './paymentConstraints.ts';
import { sdHash } from './sdHash.ts';
import { isObject, type JsonObject, parseTokens, type SdJwt } from './sdJwt.ts';
import type { Violation } from './violation.ts';
import { type ChainVerifier, type Walk, walkHops } from './walkHops.ts';

const FORMAT = 'Verifiable Intent 0.1, credential format';
const CONSTRAINTS = 'Verifiable Intent 0.1, constraints';

const VI: ChainProfile = {
  name: 'vi',
  clauses: { mandate: `${FORMAT} sections 3 to 5`, unknownConstraint: `${FORMAT} section 5.7` },
  namesKeys: true,
  hasSelections: true,
  algorithms: ['sha-256'],
  bindings: ['sd_hash'],
  mirroredSd: true,
  prefix: 'mandate.',
  reference: 'digest',
  budgetUnit: 'minor',
  constraints: {
    payment: ofVi({
      'payment.amount_range': openRange,
      'payment.allowed_payees': allowedPayees,
      'payment.reference': checkoutReference,
      'payment.budget': minorBudget,
      'payment.agent_recurrence': datedRecurrence,
      'payment.recurrence': subscription,
    }),
    checkout: ofVi({ 'checkout.allowed_merchants': allowedMerchants, 'checkout.line_items': cappedItems }),
  },
};

function ofVi<Facts>(
  rules: Readonly<Record<string, ConstraintRule<Facts>>>,
): Readonly<Record<string, ConstraintRule<Facts>>> {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, { ...rule, clause: `${CONSTRAINTS}: ${name}` }]),
  );
}

const L1: Layer = { name: 'L1', typ: ['sd+jwt'], mandates: 0, isOpen: true, isPresented: false };
const L2_OPEN: Layer = { name: 'L2', typ: ['kb-sd-jwt+kb'], mandates: 'pairs', isOpen: true, isPresented: true };
const L2_CLOSED: Layer = {
  name: 'L2',
  typ: ['kb-sd-jwt'],
  mandates: 'pairs',
  isOpen: false,
  isPresented: true,
  mostSeconds: 900,
};
const L3A: Layer = {
  name: 'L3a',
  typ: ['kb-sd-jwt'],
  mandates: 1,
  isOpen: false,
  isPresented: true,
  mostSeconds: 3600,
};
const L3B: Layer = { ...L3A, name: 'L3b' };

/** The layers as they were presented, each `jwt~disclosure~…~`. */
export interface IntentLayers {
  readonly l1: string;
  /** The view that the payment, or the only layer 3, is bound to. */
  readonly l2: string;
  readonly l3Payment?: string | undefined;
  readonly l3Checkout?: string | undefined;
  /** The view that the checkout is bound to, where it is another one. */
  readonly l2Checkout?: string | undefined;
}

/** What a verifier brings: `hops` are layers 1, 2, 3a and 3b, and `aud` and `nonce` those of the last layer of the payment. */
interface IntentVerifier extends ChainVerifier, ExpectedCheckout {}

type Tokens = Partial<Record<keyof IntentLayers, SdJwt>>;

/** @throws Fault BAD_REQUEST for a text that is no SD-JWT */
export function verifyIntent(layers: IntentLayers, verifier: IntentVerifier): ChainResult {
  const tokens = parseTokens(layers);
  const isOpen = tokens.l2?.header['typ'] === 'kb-sd-jwt+kb';
  const [main, side] = walksOf(tokens, isOpen, verifier);
  const reports = [...main.reports, ...side.reports];
  const form = formFault(tokens, isOpen);
  const violations = [...(form === undefined ? [] : [invalid(form)]), ...main.violations, ...side.violations];
  if (violations.length > 0) return chainResult(reports, violations);
  const views = [main.hops[1], side.hops[1]].filter((hop) => hop !== undefined);
  const pair = pairIn(views);
  if ('fault' in pair) return chainResult(reports, [{ ...invalid(pair.fault, `${FORMAT} section 8`), hop: 1 }]);
  return judge(main, side, pair, views, verifier, reports);
}

function formFault({ l3Payment, l3Checkout, l2Checkout }: Tokens, isOpen: boolean): string | undefined {
  const isClosed = l3Payment !== undefined || l3Checkout !== undefined;
  if (isOpen && !isClosed) return 'Layer 2 delegates to an agent, and no layer 3 closes its mandates.';
  if (!isOpen && isClosed) return 'Layer 2 is closed by the person, and yet there is a layer 3.';
  if (l2Checkout !== undefined && (l3Payment === undefined || l3Checkout === undefined)) {
    return 'A second view of layer 2 goes with both layers 3.';
  }
  return undefined;
}

const NONE: Walk = { hops: [], reports: [], violations: [] };

/** The way to the payment, or to the only closed mandate, and beside it the one to the checkout, told from its first new layer on. */
function walksOf(tokens: Tokens, isOpen: boolean, verifier: ChainVerifier): readonly [Walk, Walk] {
  const { l1, l2, l3Payment, l3Checkout, l2Checkout } = tokens as Tokens & { readonly l1: SdJwt; readonly l2: SdJwt };
  if (!isOpen) return [walkHops(VI, [l1, l2], [L1, L2_CLOSED], verifier), NONE];
  const last = l3Payment ?? l3Checkout;
  if (last === undefined) return [walkHops(VI, [l1, l2], [L1, L2_OPEN], { ...verifier, ...verifier.hops?.[1] }), NONE];
  const hops = (closing: 2 | 3) => [0, 1, closing].map((place) => verifier.hops?.[place] ?? {});
  const [layer, place] = l3Payment === undefined ? ([L3B, 3] as const) : ([L3A, 2] as const);
  const main = walkHops(VI, [l1, l2, last], [L1, L2_OPEN, layer], { ...verifier, hops: hops(place) });
  if (l3Payment === undefined || l3Checkout === undefined) return [main, NONE];
  const beside = { ...verifier, aud: undefined, nonce: undefined, hops: hops(3) };
  const whole = walkHops(VI, [l1, l2Checkout ?? l2, l3Checkout], [L1, L2_OPEN, L3B], beside);
  const told = l2Checkout === undefined ? 2 : 1;
  const shift = main.hops.length - told;
  return [
    main,
    {
      hops: whole.hops,
      reports: whole.reports.slice(told),
      violations: whole.violations
        .filter(({ hop = 0 }) => hop >= told)
        .map((violation) => ({ ...violation, hop: (violation.hop ?? 0) + shift })),
    },
  ];
}

function judge(
  main: Walk,
  side: Walk,
  pair: IntentPair,
  views: readonly Hop[],
  verifier: IntentVerifier,
  reports: ChainResult['hops'],
): ChainResult {
  const [credential, person] = main.hops as readonly [Hop, Hop];
  const isOpen = person.layer.isOpen;
  const closed = isOpen ? [...main.hops.slice(2), ...side.hops.slice(2)].flatMap(mandatesOf) : mandatesOf(person);
  const payment = closed.find(({ vct }) => vct === 'mandate.payment.1');
  const checkout = closed.find(({ vct }) => vct === 'mandate.checkout.1');
  const shape = shapeFault(main, side, payment, checkout, isOpen);
  if (shape !== undefined) return chainResult(reports, [shape]);
  const chain = chainOf(main, pair, (payment ?? checkout) as JsonObject);
  const terms = checkout === undefined ? undefined : termsOfIntentCheckout(String(checkout['checkout_jwt']));
  const violations = [
    ...credentialViolations(credential, [payment, pair.payment?.mandate]),
    ...lifeViolations(credential, [...main.hops.slice(1), ...side.hops.slice(2)]),
    ...instrumentViolations(payment, pair.payment?.mandate),
    ...presetViolations(chain, `${FORMAT} section 5.7`, ['payment_instrument', 'risk_data', 'prompt_summary']),
    ...checkoutViolations(chain, checkout, verifier),
    ...(payment === undefined || !isOpen ? [] : paymentConstraints(payment, pair, verifier)),
    ...(terms === undefined || !isOpen ? [] : checkoutConstraints(terms, payment, pair, views)),
  ];
  return chainResult(reports, violations, chain);
}

/** Of each mandate that is closed: layer 3a has the payment, layer 3b the checkout, a closed layer 2 both. */
function shapeFault(
  main: Walk,
  side: Walk,
  payment: JsonObject | undefined,
  checkout: JsonObject | undefined,
  isOpen: boolean,
): Violation | undefined {
  const expected = isOpen
    ? [...main.hops.slice(2), ...side.hops.slice(2)].map(({ layer }) => layer.name)
    : ['L3a', 'L3b'];
  if (expected.includes('L3a') && payment === undefined) return invalid('Its closed mandates have no payment.');
  if (expected.includes('L3b') && checkout === undefined) return invalid('Its closed mandates have no checkout.');
  const read = [
    ...(payment === undefined ? [] : [ClosedPayment.safeParse(payment)]),
    ...(checkout === undefined ? [] : [ClosedCheckout.safeParse(checkout)]),
  ].find(({ success }) => !success);
  return read?.error === undefined ? undefined : invalid(`A closed mandate is malformed${placeOf(read.error)}.`);
}

function chainOf({ hops }: Walk, { payment, checkout, delegated }: IntentPair, content: JsonObject): MandateChain {
  const [credential, person] = hops as readonly [Hop, Hop];
  const leaf = hops.at(-1) as Hop;
  const open = person.layer.isOpen ? [payment, checkout].filter((each) => each !== undefined) : [];
  const isPayment = content['vct'] === 'mandate.payment.1';
  const { exp: endsAt } = claimsOf(person);
  return {
    kind: isPayment ? 'payment' : 'checkout',
    content,
    open: (isPayment ? open.slice(0, 1) : open.slice(-1)).map(({ mandate }) => ({
      hop: 1,
      mandate,
      constraints: mandate['constraints'] as readonly unknown[],
    })),
    // What the person signed: their credential stays the same for all that they buy.
    rootJwtHash: jwtHashOf(person),
    leafJwtHash: jwtHashOf(leaf),
    leafSdHash: sdHash('sha-256', leaf.token.text),
    ...(person.layer.isOpen ? { openHash: sdHash('sha-256', person.token.text) } : {}),
    transactionId: String(isPayment ? content['transaction_id'] : content['checkout_hash']),
    limits:
      isPayment && payment !== undefined && person.layer.isOpen ? [limitOf(person, payment.mandate, delegated)] : [],
    ...(typeof endsAt === 'number' ? { endsAt } : {}),
    ...closingOf(hops, person.layer.isOpen),
    credential: claimsOf(credential),
  };
}

function limitOf(person: Hop, mandate: JsonObject, delegated: readonly string[]): MandateChain['limits'][number] {
  const constraints = (mandate['constraints'] as readonly unknown[]).filter(isObject);
  const named = (name: string) => constraints.find(({ type }) => type === `mandate.payment.${name}`);
  const pair = named('reference')?.['conditional_transaction_id'];
  const charged = Subscription.safeParse(named('recurrence')).data;
  const limit = useLimitOf(VI, person, mandate);
  return {
    ...limit,
    isSingleUse: limit.isSingleUse && charged?.number === undefined,
    ...(delegated.length > 2 ? { pair: String(pair) } : {}),
    ...(charged === undefined
      ? {}
      : {
          subscription: {
            frequency: charged.frequency,
            ...(charged.number === undefined ? {} : { number: charged.number }),
          },
        }),
  };
}

/** Layer 1 is a card's: the payment must be by that card. */
function credentialViolations(credential: Hop, payments: readonly (JsonObject | undefined)[]): readonly Violation[] {
  const { vct, card_id: card } = claimsOf(credential);
  const at = { hop: 0, clause: `${FORMAT} section 3` };
  const instruments = payments.flatMap((each) => (each === undefined ? [] : [each['payment_instrument']]));
  const isOther = card !== undefined && instruments.some((each) => !isObject(each) || each['id'] !== card);
  return [
    ...(typeof vct === 'string' && URL.canParse(vct)
      ? []
      : [{ ...invalid('Layer 1 has no vct that is a URI.'), ...at }]),
    ...(isOther ? [{ ...invalid('The payment is by another instrument than the card of layer 1.'), ...at }] : []),
  ];
}

/** Each layer ends, layer 2 not after layer 1, and each layer 3 answers another challenge than layer 2. */
function lifeViolations(credential: Hop, [person, ...agents]: readonly Hop[]): readonly Violation[] {
  const [whole, part] = [claimsOf(credential), claimsOf(person as Hop)];
  const endsLate =
    part['exp'] === undefined || whole['exp'] === undefined || Number(part['exp']) > Number(whole['exp']);
  const repeats = agents.some((agent) => claimsOf(agent)['nonce'] === part['nonce']);
  return [
    ...(endsLate ? [{ ...invalid('Layer 2 must expire, and not after layer 1.', `${FORMAT} section 7`), hop: 1 }] : []),
    ...(repeats ? [invalid('A layer 3 has the nonce of layer 2.', `${FORMAT} section 5.3`)] : []),
  ];
}

function instrumentViolations(payment: JsonObject | undefined, open: JsonObject | undefined): readonly Violation[] {
  const [used, set] = [payment?.['payment_instrument'], open?.['payment_instrument']];
  if (payment === undefined || payment === open || open === undefined) return [];
  const isSame = isObject(used) && isObject(set) && used['id'] === set['id'] && used['type'] === set['type'];
  return isSame
    ? []
    : [invalid('The payment is by another instrument than the person set.', `${FORMAT} section 4.5.2`)];
}

function checkoutViolations(
  chain: MandateChain,
  checkout: JsonObject | undefined,
  verifier: IntentVerifier,
): readonly Violation[] {
  const jwt = checkout === undefined ? undefined : String(checkout['checkout_jwt']);
  const own = jwt === undefined ? {} : { ownCheckoutJwt: jwt };
  const { violations } = expectCheckout(chain.transactionId, 'sha-256', { ...verifier, ...own }, undefined);
  const isOther = checkout !== undefined && checkout['checkout_hash'] !== chain.transactionId;
  const other: Violation = {
    code: 'CHECKOUT_MISMATCH',
    detail: 'The payment’s transaction_id is not the checkout_hash of the checkout.',
    clause: `${FORMAT} section 6.2`,
    ucp: 'mandate_scope_mismatch',
  };
  return [...(isOther ? [other] : []), ...violations, ...(jwt === undefined ? [] : merchantViolations(jwt, verifier))];
}

function paymentConstraints(payment: JsonObject, pair: IntentPair, { at }: IntentVerifier): readonly Violation[] {
  const open = pair.payment;
  if (open === undefined) return [{ ...invalid('Layer 2 does not disclose the payment mandate.'), hop: 1 }];
  // The checkout of the pair may be withheld; then its digest alone is there.
  const named = pair.checkout?.digest === undefined ? pair.delegated : [pair.checkout.digest];
  const facts = {
    payment: ClosedPayment.parse(payment),
    open: open.mandate,
    at,
    openCheckoutHashes: () => named,
    algorithm: 'sha-256' as const,
  };
  return inLayer2(judgeConstraints(VI, VI.constraints.payment, open.mandate, facts));
}

function checkoutConstraints(
  terms: ReturnType<typeof termsOfIntentCheckout>,
  payment: JsonObject | undefined,
  { checkout: open }: IntentPair,
  views: readonly Hop[],
): readonly Violation[] {
  if (open === undefined) return [{ ...invalid('Layer 2 does not disclose the checkout mandate.'), hop: 1 }];
  if ('fault' in terms) return [{ ...invalid(terms.fault), code: 'CONSTRAINT_UNRESOLVED', hop: 1 }];
  const payee = payment === undefined ? undefined : ClosedPayment.parse(payment).payee;
  const checkout = { ...terms.terms, merchant: terms.terms.merchant ?? payee };
  return inLayer2(judgeConstraints(VI, VI.constraints.checkout, disclosedByAny(views, open), { checkout }));
}

function inLayer2(found: readonly Omit<Violation, 'hop'>[]): readonly Violation[] {
  return found.map((violation) => ({ ...violation, hop: 1 }));
}

function invalid(detail: string, clause = VI.clauses.mandate): Violation {
  return { code: 'MANDATE_INVALID', detail, clause };
}
