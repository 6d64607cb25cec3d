/** A payment that is allowed: its mandate is signed and its money counted, and what the rail will be asked is stored before the rail hears of it. */
import type { SignedDocument } from '../../../protocol/credential/canonical.ts';
import { type Credential, issueCredential } from '../../../protocol/credential/vc.ts';
import { fromMinor } from '../../../protocol/money.ts';
import { captureEndsAt, type PaymentRequest, type PaymentResult } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { RailRequest } from '../../rails/rail.ts';
import { countPayment } from '../../store/statements/limits/limitBuckets.ts';
import { markApprovalTokenUsed } from '../../store/statements/purchases/approvalTokens.ts';
import { endStatus } from '../../store/statements/purchases/credentialStatus.ts';
import { settleIntent } from '../../store/statements/purchases/intents.ts';
import { insertPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { addNewSpend } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { DecisionCounter } from '../../usecase/useCase.ts';
import { type FormDeps, issueForms } from '../credentials/handOut.ts';
import { recordDecision } from '../evidence/recordEvent.ts';
import { approvedInstrument } from '../instruments/chooseInstrument.ts';
import type { Terms } from '../merchants/merchantTerms.ts';
import type { CurrentPolicy } from '../policies/loadFacts.ts';
import { governedDidOf } from '../principals/governance.ts';
import { tellOfPayment } from '../purchases/authorize.ts';
import { paymentFacts, policyFacts } from '../purchases/purchaseFacts.ts';
import type { ApprovedPayment } from './judgePayment.ts';
import { openAttempt } from './railAttempt.ts';
import type { AttemptOrOutput } from './throughRail.ts';

/** What a rail with a gate is asked besides. */
export type AskedOfGate = Pick<RailRequest, 'expiresAt' | 'offer' | 'payee'>;

/** Consumes the token, signs the mandate, and writes down what the rail will be asked. */
export function* openPayment(
  deps: FormDeps & DecisionCounter & Pick<Deps, 'hashToken' | 'operations' | 'rails' | 'settings' | 'store'>,
  from: ApprovedPayment & { readonly policy: CurrentPolicy; readonly terms: Terms; readonly recorded: object },
  input: PaymentRequest,
  besides: AskedOfGate,
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
  const request = { ...paying, account: approval.rail_account_id ?? undefined, ...besides };
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

function draft(
  deps: Pick<Deps, 'issuer' | 'newId' | 'suite'>,
  { approval, intent, cart, principal, terms }: ApprovedPayment & { readonly terms: Terms },
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
  { approval, intent }: Pick<ApprovedPayment, 'approval' | 'intent'>,
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
