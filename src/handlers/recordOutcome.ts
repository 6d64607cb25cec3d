/** Writes down what a rail answered: the payment's next state, its evidence, and what stays reserved. */
import type { EvidenceType } from '../../protocol/evidence.ts';
import { fromMinor } from '../../protocol/money.ts';
import { canBecome, type PaymentStatus } from '../../protocol/payment.ts';
import { type RailOutcome, RailRequest } from '../rails/rail.ts';
import { findIntent, settleIntent } from '../store/statements/intents.ts';
import { findPayment, type PaymentRow, updatePayment } from '../store/statements/payments.ts';
import {
  closeRailAttempt,
  findRailAttempt,
  postponeRailAttempt,
  type RailAttemptRow,
} from '../store/statements/railAttempts.ts';
import { adjustWindows } from '../store/statements/velocity.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from './deps.ts';
import { recordEvent } from './recordEvent.ts';

/** Waits between tries that got no answer, in seconds; the last one repeats. */
const RETRY_SECONDS = [3, 5, 15, 60, 300, 1800] as const;

/** How an answered operation changes its payment. Undefined: the rail refused and the payment stays as it was. */
interface Change {
  readonly payment: PaymentRow;
  readonly eventType: EvidenceType;
  readonly facts: Record<string, unknown>;
}

/**
 * Takes a rail's answer into the books, once: an attempt that was settled meanwhile is left as it is.
 * @returns the payment as it stands now
 */
export function* recordOutcome(
  deps: Deps,
  tenantId: string,
  attemptKey: string,
  outcome: RailOutcome,
  now: number,
): Script<PaymentRow> {
  const attempt = yield* findRailAttempt(attemptKey);
  const payment = attempt && (yield* findPayment(tenantId, attempt.payment_id));
  if (attempt === undefined || payment === undefined) throw new Error(`attempt ${attemptKey} has no payment`);
  if (attempt.state === 'DONE') return payment;

  if (outcome.kind === 'unknown') {
    const wait = RETRY_SECONDS[Math.min(attempt.tries, RETRY_SECONDS.length - 1)] as number;
    yield* postponeRailAttempt(attemptKey, now + wait * 1000);
  } else {
    yield* closeRailAttempt(attemptKey);
  }
  const change = changeOf(payment, attempt, outcome, now);
  if (change === undefined) return payment;
  if (change.payment.status !== payment.status && !canBecome(payment.status, change.payment.status)) return payment;

  yield* updatePayment(change.payment);
  const { status } = change.payment;
  if (status === 'FAILED' || status === 'CANCELED') yield* releaseReservation(payment);
  const data = { ...aboutPayment(payment), ...change.facts };
  const actorDid = attempt.operation === 'authorize' ? payment.agent_did : deps.issuer.did;
  yield* recordEvent(deps, tenantId, { eventType: change.eventType, actorDid, data }, now);
  return change.payment;
}

function changeOf(payment: PaymentRow, attempt: RailAttemptRow, outcome: RailOutcome, now: number): Change | undefined {
  if (outcome.kind === 'unknown') return unanswered(payment, attempt, outcome.reason);
  if (outcome.kind !== 'ok') return refused(payment, attempt, outcome);
  const request = RailRequest.parse(JSON.parse(attempt.parameters));
  const amount = fromMinor(request.amountMinor, payment.currency);
  const railTransactionId = outcome.railId;
  switch (attempt.operation) {
    case 'authorize':
      return {
        payment: { ...payment, status: 'AUTHORIZED', rail_id: outcome.railId },
        eventType: 'PAYMENT_AUTHORIZED',
        facts: { railTransactionId },
      };
    case 'capture':
      return {
        payment: { ...payment, status: 'CAPTURED', captured_minor: request.amountMinor },
        eventType: 'PAYMENT_CAPTURED',
        facts: { captured: amount, capturedAt: new Date(now).toISOString() },
      };
    case 'cancel':
      return { payment: { ...payment, status: 'CANCELED' }, eventType: 'PAYMENT_CANCELED', facts: {} };
    case 'refund': {
      const refunded = payment.refunded_minor + request.amountMinor;
      const status: PaymentStatus = refunded === payment.captured_minor ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
      return {
        payment: { ...payment, status, refunded_minor: refunded },
        eventType: 'PAYMENT_REFUNDED',
        facts: { refund: amount, refunded: fromMinor(refunded, payment.currency), status },
      };
    }
  }
}

/** An authorization nobody answered makes the payment UNKNOWN, once; later operations are simply tried again. */
function unanswered(payment: PaymentRow, attempt: RailAttemptRow, reason: string): Change | undefined {
  if (attempt.operation !== 'authorize' || payment.status !== 'PENDING') return undefined;
  return { payment: { ...payment, status: 'UNKNOWN' }, eventType: 'PAYMENT_UNKNOWN', facts: { reason } };
}

function refused(
  payment: PaymentRow,
  attempt: RailAttemptRow,
  outcome: Extract<RailOutcome, { kind: 'declined' | 'actionRequired' }>,
): Change | undefined {
  if (attempt.operation !== 'authorize') return undefined;
  const { code, message } = outcome;
  return {
    payment: {
      ...payment,
      status: 'FAILED',
      rail_id: outcome.railId ?? null,
      error_code: code,
      error_message: message,
    },
    eventType: 'PAYMENT_FAILED',
    facts: {
      error: { code, message },
      ...(outcome.railId === undefined ? {} : { railTransactionId: outcome.railId }),
    },
  };
}

/** Gives back what the purchase held against the spending limits. */
function* releaseReservation(payment: PaymentRow): Script<void> {
  const intent = yield* findIntent(payment.tenant_id, payment.intent_id);
  if (intent === undefined) return;
  yield* settleIntent(payment.tenant_id, intent.mandate_id, intent.status, 0);
  yield* adjustWindows(
    payment.tenant_id,
    { agentDid: intent.agent_did, mandateId: intent.mandate_id, currency: intent.currency },
    -intent.reserved_minor,
  );
}

/** The ids and facts every event of a payment carries. */
export function aboutPayment(payment: PaymentRow): Record<string, unknown> {
  return {
    transactionId: payment.transaction_id,
    ...(payment.context_id === null ? {} : { contextId: payment.context_id }),
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    agentDid: payment.agent_did,
    principalDid: payment.principal_did,
    amount: fromMinor(payment.amount_minor, payment.currency),
    currency: payment.currency,
    merchant: payment.merchant,
    rail: payment.rail,
  };
}
