/** What every payment is judged by, however its cart was approved: the approval token, the policy as it stands, the person and what authorizes it. */
import { refuseAgent } from '../../../protocol/agent.ts';
import { intentStatusAt } from '../../../protocol/intent.ts';
import {
  decidePayment,
  type PaymentFacts,
  type PaymentRequest,
  type PaymentResult,
} from '../../../protocol/payment.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { limitUseFacts } from '../../../protocol/policy/limitUse.ts';
import { sameBeforeFacts } from '../../../protocol/policy/values/samePurchase.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { type ReasonDetails, refusalOf, withReasons } from '../../../protocol/reason.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import { listNarrowings } from '../../store/statements/limits/limitNarrowings.ts';
import {
  type ApprovalTokenRow,
  type ApprovedCart,
  findApproved,
} from '../../store/statements/purchases/approvalTokens.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import { isCheckoutPaid } from '../../store/statements/purchases/payments.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy, type PolicyRow } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { CartTerms } from '../../usecase/hooks.ts';
import type { DecidingDeps } from '../../usecase/useCase.ts';
import { loadAgent } from '../agents/loadAgent.ts';
import { isStillPresent } from '../approvals/quorum.ts';
import { approvalKeysOf } from '../carts/approvalToken.ts';
import { rejectCart } from '../carts/rejectCart.ts';
import { railsFor } from '../instruments/chooseInstrument.ts';
import { loadTerms, newTerms, type Terms } from '../merchants/merchantTerms.ts';
import { type CurrentPolicy, loadPaidUse, requirePolicy } from '../policies/loadFacts.ts';
import { loadSamePaid, tellSame } from '../policies/loadSame.ts';
import { governedDidOf, loadGovernance } from '../principals/governance.ts';
import { authorizePayment, refuseEnded } from '../purchases/authorize.ts';
import { approvedCart, cartFacts, policyFacts, shoppingOf } from '../purchases/purchaseFacts.ts';
import { readCart } from '../purchases/storedCart.ts';
import { type AskedOfGate, openPayment } from './openPayment.ts';
import type { AttemptOrOutput } from './throughRail.ts';

/** What a payment is judged by. */
export function loadApproved(deps: Pick<Deps, 'hashToken'>, { tenantId }: Caller, { approvalToken }: PaymentRequest) {
  return {
    approved: findApproved(tenantId, approvalKeysOf(deps, approvalToken)),
    policy: findCurrentPolicy(tenantId),
    narrowings: listNarrowings(tenantId),
  };
}

/** What loadApproved gave. */
interface FactsOfPayment {
  readonly approved: ApprovedCart | undefined;
  readonly policy: PolicyRow | undefined;
}

/** @throws Fault as loadParties, and CONFLICT for a void token */
export function* judgePayment(
  deps: DecidingDeps,
  caller: Caller,
  input: PaymentRequest,
  now: number,
  { approved: found, policy: current }: FactsOfPayment,
  besides: AskedOfGate = {},
): Script<AttemptOrOutput<PaymentResult>> {
  const approved = yield* loadParties(deps, caller, found);
  const revoked = yield* refuseEnded(deps, approved.intent);
  if (approved.approval.status === 'VOID') {
    const refusal = refusalOfVoid(approved, revoked);
    return { output: yield* rejectCart(deps, approved.agent, refusedFacts(approved), refusal, now) };
  }
  const policy = requirePolicy(deps, current);
  const [facts, terms, same] = yield* together(
    loadLimits(policy.compiled, approved, now),
    loadTerms(caller.tenantId, approved.approval.merchant, approved.intent),
    loadSamePaid(policy.compiled, approvedPurchase(approved.approval), now),
  );
  const use = { ...facts, sameBefore: same?.fact };
  const { currency } = approved.approval;
  const recorded = { ...sameBeforeFacts(same?.fact), ...limitUseFacts(facts.limits, currency) };
  const wasPresent = approved.approval.presence_id !== null;
  const isPresent = wasPresent && (yield* isStillPresent(deps, approved, policy.compiled));
  const asked = yield* authorizePayment(deps, approved, input.instrument, now);
  const mandated = { ...asked, ...revoked, ...(approved.cart === undefined ? UNREADABLE : {}) };
  const decision = withReasons(decide(deps, approved, policy, { use, terms, isPresent }, now), mandated);
  if (!decision.allowed) {
    const about = Object.assign(refusedFacts(approved), newTerms(terms, approved.intent), policyFacts(policy.row));
    const rejected = yield* rejectCart(deps, approved.agent, Object.assign(about, recorded), decision, now);
    return { output: tellSame(deps, caller, rejected, same, now) };
  }
  return yield* openPayment(deps, { ...approved, policy, terms, recorded }, input, besides, now);
}

/** What the limits count besides an approved purchase. */
function loadLimits(policy: CompiledPolicy, { approval, intent, agent, principal }: ApprovedPayment, now: number) {
  const { currency, merchant, amount_minor: amountMinor } = approval;
  const buyer = { agent, governedDid: governedDidOf(intent.principal_did, principal) };
  return loadPaidUse(policy, buyer, { currency, merchant, amountMinor, intent }, now);
}

function approvedPurchase(approval: ApprovalTokenRow) {
  const { tenant_id: tenantId, print, cart_hash: cartHash, amount_minor: amountMinor, currency } = approval;
  return { tenantId, print, cartHash, amountMinor, currency };
}

/** A cart that was approved, with what stands behind it. */
export interface ApprovedPayment {
  readonly approval: ApprovalTokenRow;
  readonly intent: IntentRow;
  readonly isPaid: boolean;
  /** Whether the intent has a place in a status list. */
  readonly hasStatus: boolean;
  /** Undefined for one of an extension that the node runs without. */
  readonly cart: CartTerms | undefined;
  readonly agent: AgentRow;
  readonly principal: Governance;
}

/** @throws Fault NOT_FOUND for a token that is not the caller's, CONFLICT for one used before */
function* loadParties(
  deps: Pick<Deps, 'operations' | 'suite'>,
  caller: Caller,
  found: ApprovedCart | undefined,
): Script<ApprovedPayment> {
  if (found === undefined || !actsFor(caller, found.approval.agent_did)) {
    throw new Fault('NOT_FOUND', 'There is no such approval token.');
  }
  const { approval, intent, hasStatus } = found;
  const [agent, principal] = yield* together(
    loadAgent(caller.tenantId, approval.agent_did),
    loadGovernance(caller.tenantId, intent),
  );
  if (approval.status === 'USED') throw new Fault('CONFLICT', 'This approval token was used before.');
  const cart = readCart(deps, JSON.parse(approval.cart), approval.merchant);
  const key = cart?.key ?? null;
  const isPaid = found.isPaid || (key !== null && (yield* isCheckoutPaid(caller.tenantId, key)));
  return { approval, intent, isPaid, hasStatus, cart, agent, principal };
}

/** @throws Fault CONFLICT where the token is void for another reason than its agent's end */
function refusalOfVoid({ agent, intent }: ApprovedPayment, revoked: ReasonDetails) {
  const refusal = refusalOf({ ...revoked, ...(agent.status === 'REVOKED' ? refuseAgent(agent.status) : {}) });
  if (refusal !== undefined) return refusal;
  throw new Fault(
    'CONFLICT',
    intent.status === 'EXPIRED'
      ? 'This approval token is void, and its intent has ended: the person said no, it was given back, its mandate issuer was removed, or its time was over. Ask for a new intent.'
      : 'A later validation of the cart took the place of this approval token.',
  );
}

const UNREADABLE: ReasonDetails = {
  MANDATE_INVALID: { message: 'The approved cart is of an extension that this node runs without.' },
};

function decide(
  deps: Pick<Deps, 'rails'>,
  approved: ApprovedPayment,
  { compiled }: CurrentPolicy,
  { terms, use, isPresent }: Pick<PaymentFacts, 'use'> & { readonly terms: Terms; readonly isPresent: boolean },
  now: number,
) {
  const { approval, intent, cart, agent, principal } = approved;
  return decidePayment(
    {
      amountMinor: approval.amount_minor,
      currency: approval.currency,
      merchantDomain: approval.merchant,
      ...terms,
    },
    {
      agentStatus: agent.status,
      principal,
      policy: compiled,
      use,
      cartUsed: approved.isPaid,
      intentStatus: intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, now),
      approvalExpired: approval.expires_at <= now,
      cartExpired: cart !== undefined && cart.endsAt <= now,
      confirmed: { byAgent: shoppingOf(intent).shopping?.confirmCart === true, byMerchant: cart?.confirmed === true },
      present: isPresent,
      railUsable: railsFor(deps, compiled, approval.rail).includes(approval.rail),
    },
    now,
  );
}

/** What is recorded of a payment that is refused. */
function refusedFacts({ intent, approval }: ApprovedPayment) {
  return Object.assign(cartFacts(intent, approvedCart(approval), undefined), { stage: 'payment' });
}
