/** A payment as callers see it. */
import { fromMinor } from '../../../protocol/money.ts';
import type { Dispute, DisputeRecord, Payment, PaymentRecord, PaymentResult } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { type DisputedPaymentRow, type DisputeRow, disputesOf } from '../../store/statements/purchases/disputes.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { type FormDeps, paidForms } from '../credentials/handOut.ts';
import { shownByAuthorizers } from '../purchases/authorize.ts';

/** Reads its disputes, where it has any, and shows both. */
export function* loadPaymentAnswer(payment: PaymentRow): Script<Payment> {
  return showPayment({ ...payment, disputes: yield* disputesOf([payment]) });
}

export function showPayment(payment: DisputedPaymentRow): Payment {
  const { currency, attention, attention_at: since } = payment;
  return compact({
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    transactionId: payment.transaction_id,
    agentDid: payment.agent_did,
    status: payment.status,
    amount: fromMinor(payment.amount_minor, currency),
    currency,
    merchant: payment.merchant,
    description: payment.description ?? undefined,
    rail: payment.rail,
    captured: fromMinor(payment.captured_minor, currency),
    refunded: fromMinor(payment.refunded_minor, currency),
    disputed: fromMinor(payment.disputed_minor, currency),
    disputes: payment.disputes.map(showDispute),
    createdAt: isoTime(payment.created_at),
    attention: attention === null ? undefined : { since: isoTime(Number(since)), reason: attention },
  });
}

export function showPaymentRecord(payment: DisputedPaymentRow): PaymentRecord {
  return compact({
    ...showPayment(payment),
    railTransactionId: payment.rail_id ?? undefined,
    error: errorOf(payment),
    pmVc: JSON.parse(payment.credential),
  });
}

/** The answer to a payment mandate, from the payment as it stands. */
function showPaymentResult(payment: PaymentRow): PaymentResult {
  return {
    pmVc: JSON.parse(payment.credential),
    railResponse: compact({
      rail: payment.rail,
      paymentIntentId: payment.rail_id ?? undefined,
      status: railStatus(payment.status),
      error: errorOf(payment),
    }),
  };
}

function errorOf(payment: PaymentRow): { code: string; message: string } | undefined {
  if (payment.error_code === null) return undefined;
  return { code: payment.error_code, message: payment.error_message ?? '' };
}

function railStatus(status: PaymentRow['status']): string {
  if (status === 'FAILED') return 'failed';
  if (status === 'UNKNOWN' || status === 'PENDING') return 'unknown';
  if (status === 'CANCELED') return 'canceled';
  return status === 'AUTHORIZED' ? 'requires_capture' : 'succeeded';
}

/** The answer to a payment, with the forms it was asked in, and what authorizers show of it. @param now milliseconds since the epoch */
export function* resultOfPayment(
  deps: FormDeps & Pick<Deps, 'operations'>,
  payment: PaymentRow,
  now: number,
): Script<PaymentResult> {
  const credentials = yield* paidForms(deps, payment, now);
  const besides = yield* shownByAuthorizers(deps, payment, true);
  return compact({ ...showPaymentResult(payment), credentials, ...besides }) as PaymentResult;
}

function showDispute(row: DisputeRow): Dispute {
  return compact({
    id: row.id,
    railDisputeId: row.rail_dispute_id,
    amount: fromMinor(row.amount_minor, row.currency),
    currency: row.currency,
    reason: row.reason ?? undefined,
    status: row.status,
    dueBy: isoTime(row.due_by),
    openedAt: isoTime(row.opened_at),
    closedAt: isoTime(row.closed_at),
  });
}

export function showDisputeRecord(row: DisputeRow): DisputeRecord {
  return { ...showDispute(row), mandateId: row.mandate_id, agentDid: row.agent_did };
}
