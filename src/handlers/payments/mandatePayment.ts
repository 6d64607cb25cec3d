/**
 * An approval token becomes a signed payment mandate, and the rail is asked to hold the money. Token, mandate and
 * the attempt are on disk before the rail hears of it, so a crash at any point leaves a trace that is followed.
 */

import { refuseAgent } from '../../../protocol/agent.ts';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { issueCredential } from '../../../protocol/credential/vc.ts';
import { intentStatusAt } from '../../../protocol/intent.ts';
import { fromMinor } from '../../../protocol/money.ts';
import { decidePayment, PaymentRequest, PaymentResult } from '../../../protocol/payment.ts';
import { candidateRails } from '../../../protocol/policy/checks/rails.ts';
import { refusalOf } from '../../../protocol/reason.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import type { RailRequest } from '../../rails/rail.ts';
import {
  type ApprovalTokenRow,
  findApprovalToken,
  markApprovalTokenUsed,
} from '../../store/statements/purchases/approvalTokens.ts';
import { findIntent, type IntentRow, settleIntent } from '../../store/statements/purchases/intents.ts';
import { insertPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { insertRailAttempt, type RailAttemptRow } from '../../store/statements/purchases/railAttempts.ts';
import { adjustWindows } from '../../store/statements/purchases/velocityWindows.ts';
import type { Script } from '../../store/store.ts';
import { reject } from '../carts/validateCart.ts';
import type { Deps } from '../core/deps.ts';
import type { Envelope } from '../core/envelope.ts';
import { type Run, useCase } from '../core/useCase.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import { chooseInstrument, type Paying } from '../instruments/chooseInstrument.ts';
import { loadAgent, loadPolicy, loadUse } from '../policies/loadFacts.ts';
import { askRail, claimedUntil } from './askRail.ts';
import { recordOutcome } from './recordOutcome.ts';
import { aboutPayment } from './transition.ts';

export const mandatePayment = useCase({
  summary: 'Exchanges an approval token for a signed payment mandate and asks the rail to authorize the payment.',
  input: PaymentRequest,
  output: PaymentResult,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: (async (deps, caller, input, envelope) => {
    const begun = await deps.store.write(caller.tenantId, () => begin(deps, caller, input, envelope));
    if ('answer' in begun) return begun.answer;
    const { attempt, payment } = begun;
    const outcome = await askRail(deps, payment.rail, attempt);
    return deps.store.write(caller.tenantId, function* () {
      const now = deps.clock();
      const settled = yield* recordOutcome(deps, caller.tenantId, attempt.attempt_key, outcome, now);
      const output = showPaymentResult(settled);
      return { wire: yield* envelope.close(output, now), output };
    });
  }) satisfies Run<PaymentRequest, PaymentResult>,
});

type Begun<Wire> =
  | { readonly answer: { readonly wire: Wire; readonly output?: PaymentResult } }
  | { readonly attempt: RailAttemptRow; readonly payment: PaymentRow };

/** The first commit: judges once more, consumes the token, signs, and notes what the rail will be asked. */
function* begin<Wire>(
  deps: Deps,
  caller: Caller,
  input: PaymentRequest,
  envelope: Envelope<PaymentResult, Wire>,
): Script<Begun<Wire>> {
  const now = deps.clock();
  const { tenantId } = caller;
  const stored = yield* envelope.open(now);
  if (stored !== undefined) return { answer: { wire: stored } };

  const tokenHash = deps.hashToken(input.approvalToken);
  const approval = yield* findApprovalToken(tenantId, tokenHash);
  const intent = approval && (yield* findIntent(tenantId, approval.intent_id));
  if (approval === undefined || intent === undefined || !isOwn(caller, approval)) {
    throw new Fault('NOT_FOUND', 'There is no such approval token.');
  }
  const agent = yield* loadAgent(tenantId, approval.agent_did);
  if (approval.status === 'USED') throw new Fault('CONFLICT', 'This approval token was used before.');
  const about = aboutApproval(approval, intent);
  if (approval.status === 'VOID') {
    const refusal = refusalOf(agent.status === 'REVOKED' ? refuseAgent(agent.status) : {});
    if (refusal === undefined) {
      throw new Fault('CONFLICT', 'A later validation of the cart took the place of this approval token.');
    }
    const output = yield* reject(deps, tenantId, agent.did, about, refusal, now);
    return { answer: { wire: yield* envelope.close(output, now), output } };
  }

  const { row: policy, compiled } = yield* loadPolicy(deps, tenantId);
  const purchase = { currency: approval.currency, merchant: approval.merchant };
  const { facts } = yield* loadUse(compiled, agent, purchase, intent, now);
  const decision = decidePayment(
    {
      amountMinor: approval.amount_minor,
      currency: approval.currency,
      merchantDomain: approval.merchant,
      mcc: intent.mcc ?? undefined,
      country: intent.country ?? undefined,
    },
    {
      agentStatus: agent.status,
      policy: compiled,
      use: facts,
      intentStatus: intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, now),
      approvalExpired: approval.expires_at <= now,
      present: approval.presence_id !== null,
      railUsable: candidateRails(compiled, [...deps.rails.keys()]).includes(approval.rail),
    },
    now,
  );
  const governed = { policyId: policy.id, policyVersion: policy.version, policyHash: policy.hash };
  if (!decision.allowed) {
    const output = yield* reject(deps, tenantId, agent.did, { ...about, ...governed }, decision, now);
    return { answer: { wire: yield* envelope.close(output, now), output } };
  }

  const paying = yield* chooseInstrument(
    deps,
    tenantId,
    approval.rail,
    { agentDid: approval.agent_did, principalDid: intent.principal_did },
    input.instrument,
  );

  yield* markApprovalTokenUsed(tokenHash);
  yield* reserveExactly(intent, approval.amount_minor);
  const payment = mandate(deps, approval, intent, now);
  yield* insertPayment(payment);
  const attempt = attemptOf(deps, payment, approval, paying, now);
  yield* insertRailAttempt(attempt);
  const data = {
    ...aboutPayment(payment),
    ...governed,
    cartHash: approval.cart_hash,
    ...(input.userAuthorization === undefined
      ? {}
      : { userAuthorizationHash: deps.hashToken(input.userAuthorization) }),
  };
  yield* recordEvent(deps, tenantId, { eventType: 'PM_ISSUED', actorDid: agent.did, data }, now);
  yield* envelope.mark(attempt.attempt_key, now);
  return { attempt, payment };
}

function isOwn(caller: Caller, approval: ApprovalTokenRow): boolean {
  return caller.did === undefined || caller.did === approval.agent_did;
}

/** From here on the purchase can cost no more than its cart. */
function* reserveExactly(intent: IntentRow, amountMinor: number): Script<void> {
  yield* settleIntent(intent.tenant_id, intent.mandate_id, 'USED', amountMinor);
  yield* adjustWindows(
    intent.tenant_id,
    { agentDid: intent.agent_did, mandateId: intent.mandate_id, currency: intent.currency },
    amountMinor - intent.reserved_minor,
  );
}

function mandate(deps: Deps, approval: ApprovalTokenRow, intent: IntentRow, now: number): PaymentRow {
  const mandateId = deps.newId('pm_');
  const credential = issueCredential(deps.suite, deps.issuer, {
    id: `urn:uuid:${mandateId}`,
    type: 'PaymentMandate',
    subject: {
      mandateId,
      intentId: intent.mandate_id,
      amount: fromMinor(approval.amount_minor, approval.currency),
      currency: approval.currency,
      merchant: approval.merchant,
      rail: approval.rail,
      cartHash: approval.cart_hash,
    },
    issuedAt: now,
  });
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
    credential: credential.text,
    error_code: null,
    error_message: null,
    created_at: now,
    hold_until: null,
    dispute_id: null,
    dispute_outcome: null,
  };
}

function attemptOf(
  deps: Deps,
  payment: PaymentRow,
  approval: ApprovalTokenRow,
  paying: Paying,
  now: number,
): RailAttemptRow {
  const request: RailRequest = {
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    merchant: payment.merchant,
    ...paying,
    ...(approval.rail_account_id === null ? {} : { account: approval.rail_account_id }),
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    transactionId: payment.transaction_id,
  };
  return {
    attempt_key: payment.mandate_id,
    tenant_id: payment.tenant_id,
    payment_id: payment.mandate_id,
    operation: 'authorize',
    parameters: canonical(request),
    state: 'OPEN',
    tries: 0,
    node_id: deps.nodeId,
    next_at: claimedUntil(deps, now),
    created_at: now,
    flagged_at: null,
  };
}

function aboutApproval(approval: ApprovalTokenRow, intent: IntentRow): Record<string, unknown> {
  return {
    transactionId: intent.transaction_id,
    ...(intent.context_id === null ? {} : { contextId: intent.context_id }),
    intentId: intent.mandate_id,
    agentDid: intent.agent_did,
    principalDid: intent.principal_did,
    cartHash: approval.cart_hash,
    merchant: approval.merchant,
    amount: fromMinor(approval.amount_minor, approval.currency),
    currency: approval.currency,
    stage: 'payment',
  };
}

/** The answer to a payment mandate, from the payment as it stands. */
export function showPaymentResult(payment: PaymentRow): PaymentResult {
  return {
    pmVc: JSON.parse(payment.credential),
    railResponse: {
      rail: payment.rail,
      ...(payment.rail_id === null ? {} : { paymentIntentId: payment.rail_id }),
      status: railStatus(payment.status),
      ...(payment.error_code === null
        ? {}
        : { error: { code: payment.error_code, message: payment.error_message ?? '' } }),
    },
  };
}

function railStatus(status: PaymentRow['status']): string {
  if (status === 'FAILED') return 'failed';
  if (status === 'UNKNOWN' || status === 'PENDING') return 'unknown';
  if (status === 'CANCELED') return 'canceled';
  return status === 'AUTHORIZED' ? 'requires_capture' : 'succeeded';
}
