/**
 * Mandate chains of AP2 v0.2 (Delegate SD-JWT over RFC 9901): an open mandate of a person's, delegated hop by hop, and the
 * closed mandate for one checkout. A chain holds as a whole or not at all.
 */
import type { PublicJwk } from '../jwk/jwk.ts';
import { Fault } from '../wire/fault.ts';
import type { ChainProfile, Layer } from './chainProfile.ts';
import { allowedMerchants, lineItems } from './checkoutConstraints.ts';
import { type ConstraintPayment, judgeConstraints } from './constraint.ts';
import { type ExpectedCheckout, expectCheckout, type JudgedCheckout } from './expectedCheckout.ts';
import { claimsOf, confirmationKey, type Hop, mandatesOf } from './hop.ts';
import {
  type ChainResult,
  chainResult,
  closingOf,
  jwtHashOf,
  type MandateChain,
  type MandateKind,
  openMandatesOf,
  presetViolations,
  useLimitOf,
} from './mandateChain.ts';
import { ClosedCheckout, ClosedPayment, placeOf, termsOfCheckout } from './mandateContent.ts';
import { merchantViolations } from './merchantSignatures.ts';
import {
  agentRecurrence,
  allowedInstruments,
  allowedPayees,
  allowedPisps,
  amountRange,
  checkoutReference,
  executionDate,
  majorBudget,
} from './paymentConstraints.ts';
import { SD_ALGORITHMS, type SdAlgorithm, sdHash } from './sdHash.ts';
import { type JsonObject, parseChain, type SdJwt } from './sdJwt.ts';
import type { Violation } from './violation.ts';
import { type ChainVerifier, walkHops } from './walkHops.ts';

const AP2: ChainProfile = {
  name: 'ap2',
  clauses: {
    mandate: 'AP2 v0.2, Mandate Structure',
    unknownConstraint: 'AP2 v0.2, Verification and Processing Rules, step 3',
  },
  namesKeys: false,
  hasSelections: false,
  join: '~~',
  algorithms: SD_ALGORITHMS,
  bindings: ['sd_hash', 'issuer_jwt_hash'],
  mirroredSd: false,
  prefix: '',
  reference: 'sd_hash',
  budgetUnit: 'major',
  constraints: {
    payment: {
      'payment.amount_range': amountRange,
      'payment.allowed_payees': allowedPayees,
      'payment.allowed_payment_instruments': allowedInstruments,
      'payment.allowed_pisps': allowedPisps,
      'payment.agent_recurrence': agentRecurrence,
      'payment.budget': majorBudget,
      'payment.execution_date': executionDate,
      'payment.reference': checkoutReference,
    },
    checkout: { 'checkout.allowed_merchants': allowedMerchants, 'checkout.line_items': lineItems },
  },
};

const INTERMEDIATE: Layer = { typ: ['kb+sd-jwt+kb', 'kb-sd-jwt+kb'], mandates: 1, isOpen: true, isPresented: true };
const TERMINAL: Layer = { typ: ['kb+sd-jwt', 'kb-sd-jwt'], mandates: 1, isOpen: false, isPresented: true };
const ROOT: Layer = { mandates: 1, isOpen: true, isPresented: false };
/** A person signs the closed mandate itself. */
const DIRECT: Layer = { mandates: 1, isOpen: false, isPresented: true };

function layersOf(count: number): readonly Layer[] {
  if (count === 1) return [DIRECT];
  return [ROOT, ...Array.from({ length: count - 2 }, () => INTERMEDIATE), TERMINAL];
}

/** What a verifier of AP2 chains brings: with the checkout that a payment must be for. */
export interface Ap2Verifier extends ChainVerifier, ExpectedCheckout, Pick<ConstraintPayment, 'isPaidNow'> {}

/**
 * Verifies a chain of payment or checkout mandates. What needs a memory (single use, recurrence, budgets) is in
 * `chain.limits`, for a ledger to judge.
 * @param text hops joined by `~~`
 * @throws Fault BAD_REQUEST for a text that is no chain
 */
export function verifyAp2Chain(text: string, verifier: Ap2Verifier): ChainResult {
  const tokens = parseChain(text);
  const { hops, reports, violations } = walkHops(AP2, tokens, layersOf(tokens.length), verifier);
  if (violations.length > 0) return chainResult(reports, violations);
  const read = readChain(hops);
  if ('code' in read) return chainResult(reports, [read]);
  const judged = read.kind === 'payment' ? judgePayment(read, hops, verifier) : judgeCheckout(read, hops, verifier);
  return chainResult(reports, [...presetViolations(read, UNCHANGED), ...judged], read);
}

/** Open payment mandates without a closed one: what an agent may buy by them, again and again as far as their limits go. */
export interface OpenMandateChain extends Pick<MandateChain, 'open' | 'limits'> {
  /** The `sd_hash` of the last one as presented, by which a closed mandate would be bound to it. */
  readonly openHash: string;
  /** When the first of them ends, in seconds since the epoch; absent where none does. */
  readonly endsAt?: number;
  /** The key that may close them. */
  readonly closingKey: PublicJwk;
}

interface OpenMandateResult {
  readonly violations: readonly Violation[];
  /** Present where each hop holds. */
  readonly chain?: OpenMandateChain;
}

/**
 * Verifies a chain in which every mandate is open, and nothing is bought yet: `root~disclosure…~`, or further hops that the agent
 * delegated, joined by `~~`. Its constraints are judged with each purchase (protocol/ap2/delegation.ts).
 * @throws Fault BAD_REQUEST for a text that is no chain, one that is closed, and one of checkout mandates
 */
export function verifyOpenMandate(text: string, verifier: ChainVerifier): OpenMandateResult {
  const tokens = parseChain(text);
  const layers = tokens.map((_, index) => (index === 0 ? ROOT : INTERMEDIATE));
  const { hops, violations } = walkHops(AP2, tokens, layers, verifier);
  const vcts = hops.flatMap((hop) => mandatesOf(hop).map(({ vct }) => String(vct)));
  if (vcts.some((vct) => vct.startsWith('mandate.') && !vct.includes('.open.'))) {
    throw unfit('is a closed mandate; POST /ap2/payment-credentials takes it for its one payment');
  }
  if (vcts.some((vct) => vct.startsWith('mandate.checkout.'))) {
    throw unfit('must be an open payment mandate, and is one of checkouts');
  }
  if (violations.length > 0) return { violations };
  const last = hops.at(-1) as Hop;
  const ends = hops
    .flatMap((hop) => [claimsOf(hop), ...mandatesOf(hop)].map(({ exp }) => exp))
    .filter((exp) => typeof exp === 'number');
  const chain: OpenMandateChain = {
    open: openIn(hops),
    limits: openMandatesOf(hops).map(({ hop, mandate }) => useLimitOf(AP2, hop, mandate)),
    openHash: sdHash(last.algorithm as SdAlgorithm, last.token.text),
    // Each hop was found to name one.
    closingKey: confirmationKey(mandatesOf(last)[0]) as PublicJwk,
    ...(ends.length === 0 ? {} : { endsAt: Math.min(...ends) }),
  };
  return { violations, chain };
}

function unfit(message: string): Fault {
  return new Fault('BAD_REQUEST', `The token ${message}.`, [{ path: 'token', message }]);
}

function openIn(hops: readonly Hop[]): MandateChain['open'] {
  return openMandatesOf(hops).map(({ hop, mandate }) => ({
    hop: hop.index,
    mandate,
    constraints: mandate['constraints'] as readonly unknown[],
  }));
}

function readChain(hops: readonly Hop[]): MandateChain | Violation {
  const [root, leaf] = [hops[0] as Hop, hops.at(-1) as Hop];
  const [content] = mandatesOf(leaf) as [JsonObject];
  const kind = kindOf(content);
  const other = hops.find((hop) => kindOf(mandatesOf(hop)[0] as JsonObject) !== kind);
  if (other !== undefined)
    return invalid(other.index, `It delegates no ${kind} mandate, as the last hop has it.`, AP2.clauses.mandate);
  const shape = (kind === 'payment' ? ClosedPayment : ClosedCheckout).safeParse(content);
  if (!shape.success) {
    return invalid(leaf.index, `The closed ${kind} mandate is malformed${placeOf(shape.error)}.`, SCHEMA[kind]);
  }
  const open = openMandatesOf(hops);
  return {
    kind,
    content,
    open: openIn(hops),
    rootJwtHash: jwtHashOf(root),
    leafJwtHash: jwtHashOf(leaf),
    leafSdHash: sdHash(leaf.algorithm as SdAlgorithm, leaf.token.text),
    ...(open.length === 0 ? {} : { openHash: sdHash(root.algorithm as SdAlgorithm, root.token.text) }),
    ...closingOf(hops, open.length > 0),
    transactionId: String(kind === 'payment' ? content['transaction_id'] : content['checkout_hash']),
    limits: kind === 'payment' ? open.map(({ hop, mandate }) => useLimitOf(AP2, hop, mandate)) : [],
  };
}

const UNCHANGED = 'AP2 v0.2, Verification and Processing Rules, step 2';
const SCHEMA = {
  payment: 'AP2 v0.2, Payment Mandate: Mandate Schema',
  checkout: 'AP2 v0.2, Checkout Mandate: Mandate Schema',
};

function kindOf({ vct }: JsonObject): MandateKind {
  return String(vct).startsWith('mandate.payment') ? 'payment' : 'checkout';
}

function judgePayment(chain: MandateChain, hops: readonly Hop[], verifier: Ap2Verifier): readonly Violation[] {
  const leaf = hops.at(-1) as Hop;
  const checkout = checkoutMandateOf(verifier);
  const expected = expectCheckout(chain.transactionId, leaf.algorithm as SdAlgorithm, verifier, checkout);
  const payment = ClosedPayment.parse(chain.content);
  const broken = openMandatesOf(hops).flatMap(({ hop, mandate }) => {
    const { openCheckoutHashes } = expected;
    const facts = {
      payment,
      open: mandate,
      at: verifier.at,
      isPaidNow: verifier.isPaidNow,
      openCheckoutHashes,
      algorithm: hop.algorithm as SdAlgorithm,
    };
    return inHop(hop, judgeConstraints(AP2, AP2.constraints.payment, mandate, facts));
  });
  return [...expected.violations, ...broken];
}

function judgeCheckout(chain: MandateChain, hops: readonly Hop[], verifier: Ap2Verifier): readonly Violation[] {
  const leaf = hops.at(-1) as Hop;
  const algorithm = leaf.algorithm as SdAlgorithm;
  const { checkout_jwt: jwt } = ClosedCheckout.parse(chain.content);
  const { violations } = expectCheckout(
    chain.transactionId,
    algorithm,
    { ...verifier, ownCheckoutJwt: jwt },
    undefined,
  );
  const checkout = termsOfCheckout(jwt);
  if ('fault' in checkout) return [...violations, invalid(leaf.index, checkout.fault, SCHEMA.checkout)];
  const broken = openMandatesOf(hops).flatMap(({ hop, mandate }) =>
    inHop(hop, judgeConstraints(AP2, AP2.constraints.checkout, mandate, { checkout: checkout.terms })),
  );
  return [...violations, ...merchantViolations(jwt, { ...verifier, platformKey: hops[0]?.key }), ...broken];
}

/** The checkout mandate beside a payment: presented to its merchant, so its last hop's aud and nonce are not compared. */
function checkoutMandateOf(verifier: Ap2Verifier): JudgedCheckout | undefined {
  const { checkoutMandate: text, rootKey, isSigned, at, merchantKey, checkoutJwt } = verifier;
  if (text === undefined) return undefined;
  const result = verifyAp2Chain(text, { rootKey, isSigned, at, merchantKey, checkoutJwt });
  const isCheckout = result.chain?.kind === 'checkout';
  const tokens = parseChain(text);
  const open = isCheckout ? tokens.slice(0, Math.max(tokens.length - 1, 0)) : [];
  return { result, isCheckout, openHashes: (algorithm) => open.map((token: SdJwt) => sdHash(algorithm, token.text)) };
}

function inHop(hop: Hop, found: readonly Omit<Violation, 'hop'>[]): readonly Violation[] {
  return found.map((violation) => ({ ...violation, hop: hop.index }));
}

function invalid(hop: number, detail: string, clause: string): Violation {
  return { code: 'MANDATE_INVALID', detail, clause, hop };
}
