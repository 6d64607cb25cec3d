/**
 * An approval token becomes a signed payment mandate, and the rail is asked to hold the money. Token, mandate and
 * attempt are on disk before the rail hears of them.
 */

import { refuseAgent } from '../../../protocol/agent.ts';
import type { SignedDocument } from '../../../protocol/credential/canonical.ts';
import { type Credential, issueCredential } from '../../../protocol/credential/vc.ts';
import { intentStatusAt } from '../../../protocol/intent.ts';
import { fromMinor } from '../../../protocol/money.ts';
import {
  captureEndsAt,
  decidePayment,
  type PaymentFacts,
  PaymentRequest,
  PaymentResult,
} from '../../../protocol/payment.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { limitUseFacts } from '../../../protocol/policy/limitUse.ts';
import { candidateRails } from '../../../protocol/policy/rules/rails.ts';
import { sameBeforeFacts } from '../../../protocol/policy/values/samePurchase.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { type ReasonDetails, refusalOf, withReasons } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { isStillPresent } from '../../domain/approvals/quorum.ts';
import { approvalKeysOf } from '../../domain/carts/approvalToken.ts';
import { rejectCart } from '../../domain/carts/rejectCart.ts';
import { type FormDeps, issueForms, withOpenList } from '../../domain/credentials/handOut.ts';
import { recordDecision } from '../../domain/evidence/recordEvent.ts';
import { approvedInstrument } from '../../domain/instruments/chooseInstrument.ts';
import { loadTerms, newTerms, type Terms } from '../../domain/merchants/merchantTerms.ts';
import { openAttempt } from '../../domain/payments/railAttempt.ts';
import { type AttemptOrOutput, throughRail } from '../../domain/payments/throughRail.ts';
import { type CurrentPolicy, loadPaidUse, requirePolicy } from '../../domain/policies/loadFacts.ts';
import { loadSamePaid, tellSame } from '../../domain/policies/loadSame.ts';
import { governedDidOf, loadGovernance } from '../../domain/principals/governance.ts';
import { authorizePayment, refuseEnded, tellOfPayment } from '../../domain/purchases/authorize.ts';
import {
  approvedCart,
  cartFacts,
  paymentFacts,
  policyFacts,
  shoppingOf,
} from '../../domain/purchases/purchaseFacts.ts';
import { readCart } from '../../domain/purchases/storedCart.ts';
import { countPayment } from '../../store/statements/limits/limitBuckets.ts';
import { listNarrowings } from '../../store/statements/limits/limitNarrowings.ts';
import {
  type ApprovalTokenRow,
  type ApprovedCart,
  findApproved,
  markApprovalTokenUsed,
} from '../../store/statements/purchases/approvalTokens.ts';
import { endStatus } from '../../store/statements/purchases/credentialStatus.ts';
import { type IntentRow, settleIntent } from '../../store/statements/purchases/intents.ts';
import { insertPayment, isCheckoutPaid, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { addNewSpend } from '../../store/statements/purchases/spendSums.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { CartTerms } from '../../usecase/hooks.ts';
import { type DecidingDeps, type DecisionCounter, decision } from '../../usecase/useCase.ts';

export const mandatePayment = decision({
  summary: 'Exchanges an approval token for a signed payment mandate and asks the rail to authorize the payment.',
  input: PaymentRequest,
  output: PaymentResult,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  secretAnswer: true,
  run: withOpenList(
    throughRail(
      loadApproved,
      function* (
        deps: DecidingDeps,
        caller,
        input: PaymentRequest,
        now,
        { approved: found, policy: current },
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
          const about = Object.assign(
            refusedFacts(approved),
            newTerms(terms, approved.intent),
            policyFacts(policy.row),
          );
          const rejected = yield* rejectCart(deps, approved.agent, Object.assign(about, recorded), decision, now);
          return { output: tellSame(deps, caller, rejected, same, now) };
        }
        return yield* mandate(deps, { ...approved, policy, terms, recorded }, input, now);
      },
    ),
  ),
});

function loadApproved(deps: Pick<Deps, 'hashToken'>, { tenantId }: Caller, { approvalToken }: PaymentRequest) {
  return {
    approved: findApproved(tenantId, approvalKeysOf(deps, approvalToken)),
    policy: findCurrentPolicy(tenantId),
    narrowings: listNarrowings(tenantId),
  };
}

/** What the limits count besides an approved purchase. */
function loadLimits(policy: CompiledPolicy, { approval, intent, agent, principal }: ApprovedPurchase, now: number) {
  const { currency, merchant, amount_minor: amountMinor } = approval;
  const buyer = { agent, governedDid: governedDidOf(intent.principal_did, principal) };
  return loadPaidUse(policy, buyer, { currency, merchant, amountMinor, intent }, now);
}

function approvedPurchase(approval: ApprovalTokenRow) {
  const { tenant_id: tenantId, print, cart_hash: cartHash, amount_minor: amountMinor, currency } = approval;
  return { tenantId, print, cartHash, amountMinor, currency };
}

/** A cart that was approved, with what stands behind it. */
interface ApprovedPurchase {
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
): Script<ApprovedPurchase> {
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
function refusalOfVoid({ agent, intent }: ApprovedPurchase, revoked: ReasonDetails) {
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
  approved: ApprovedPurchase,
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
      railUsable: candidateRails(compiled, [...deps.rails.keys()]).includes(approval.rail),
    },
    now,
  );
}

/** Consumes the token, signs the mandate, and writes down what the rail will be asked. */
function* mandate(
  deps: FormDeps & DecisionCounter & Pick<Deps, 'hashToken' | 'operations' | 'rails' | 'settings' | 'store'>,
  from: ApprovedPurchase & { readonly policy: CurrentPolicy; readonly terms: Terms; readonly recorded: object },
  input: PaymentRequest,
  now: number,
): Script<AttemptOrOutput<PaymentResult>> {
  const { approval, intent, policy, recorded } = from;
  const paying = yield* approvedInstrument(deps, from, input.instrument);
  if (input.ucp !== undefined && from.cart?.key == null) throw noCheckout();
  yield* markApprovalTokenUsed(approval.token_hash);
  yield* settleIntent(intent.tenant_id, intent.mandate_id, 'USED', approval.amount_minor);
  if (from.hasStatus) yield* endStatus(intent.tenant_id, intent.mandate_id, now);
  const { userAuthorization, credentialFormats: formats } = input;
  const payment = draft(deps, from, formats, now);
  yield* insertPayment(payment);
  yield* tellOfPayment(deps, payment, input, now);
  yield* addNewSpend(payment);
  yield* countPayment(payment, intent);
  const request = { ...paying, account: approval.rail_account_id ?? undefined };
  const attempt = yield* openAttempt(deps, payment, { key: payment.mandate_id, operation: 'authorize', request }, now);
  const more = compact({
    cartHash: approval.cart_hash,
    expiresAt: isoTime(captureEndsAt(payment.created_at)),
    instrument: paying.instrument,
    userAuthorizationHash: userAuthorization === undefined ? undefined : deps.hashToken(userAuthorization),
  });
  const data = Object.assign(paymentFacts(payment), policyFacts(policy.row), more, recorded);
  if (formats !== undefined) {
    const secured = { credential: payment.credential, expiresAt: captureEndsAt(payment.created_at) };
    // What is signed once more for the answer has these hashes.
    yield* issueForms(deps, payment, { ...secured, formats: formats.filter((form) => form !== 'status') }, data, now);
  }
  yield* recordDecision(deps, intent.tenant_id, { eventType: 'PM_ISSUED', actorDid: payment.agent_did, data }, now);
  return { attempt, rail: payment.rail };
}

function noCheckout(): Fault {
  const message = 'is about mandates of a checkout of UCP, and the approved cart is none';
  return new Fault('BAD_REQUEST', `ucp ${message}.`, [{ path: 'ucp', message }]);
}

/** What is recorded of a payment that is refused. */
function refusedFacts({ intent, approval }: ApprovedPurchase) {
  return Object.assign(cartFacts(intent, approvedCart(approval), undefined), { stage: 'payment' });
}

function draft(
  deps: Pick<Deps, 'issuer' | 'newId' | 'suite'>,
  { approval, intent, cart, principal, terms }: ApprovedPurchase & { readonly terms: Terms },
  formats: PaymentRequest['credentialFormats'],
  now: number,
): PaymentRow {
  const mandateId = deps.newId('pm_');
  return {
    tenant_id: intent.tenant_id,
    mandate_id: mandateId,
    transaction_id: intent.transaction_id,
    context_id: intent.context_id,
    intent_id: intent.mandate_id,
    agent_did: intent.agent_did,
    principal_did: intent.principal_did,
    status: 'PENDING',
    amount_minor: approval.amount_minor,
    captured_minor: 0,
    refunded_minor: 0,
    currency: approval.currency,
    merchant: approval.merchant,
    rail: approval.rail,
    rail_id: null,
    credential: sign(deps, { approval, intent }, mandateId, now).text,
    error_code: null,
    error_message: null,
    created_at: now,
    authorized_at: now,
    cart_hash: approval.cart_hash,
    print: approval.print,
    description: approval.description,
    governed_did: governedDidOf(intent.principal_did, principal),
    mcc: terms.mcc ?? null,
    hold_until: null,
    dispute_count: 0,
    standing_disputes: 0,
    disputed_minor: 0,
    attention: null,
    attention_at: null,
    refund_failed_at: null,
    task_id: null,
    by_mandate: intent.by_mandate,
    checkout_key: cart?.key ?? null,
    credential_formats: formats === undefined ? null : JSON.stringify(formats),
  };
}

function sign(
  deps: Pick<Deps, 'issuer' | 'suite'>,
  { approval, intent }: Pick<ApprovedPurchase, 'approval' | 'intent'>,
  mandateId: string,
  now: number,
): SignedDocument<Credential> {
  const expiresAt = captureEndsAt(now);
  return issueCredential(deps.suite, deps.issuer, {
    id: `urn:uuid:${mandateId}`,
    type: 'PaymentMandate',
    subject: {
      mandateId,
      intentId: intent.mandate_id,
      agentDid: intent.agent_did,
      principalDid: intent.principal_did,
      amount: fromMinor(approval.amount_minor, approval.currency),
      currency: approval.currency,
      merchant: approval.merchant,
      rail: approval.rail,
      cartHash: approval.cart_hash,
      expiresAt: isoTime(expiresAt),
    },
    issuedAt: now,
    expiresAt,
  });
}
