/** A payment as callers see it. */
import { fromMinor } from '../../../protocol/money.ts';
import type { Payment, PaymentRecord } from '../../../protocol/payment.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';

export function showPayment(payment: PaymentRow): Payment {
  const { currency } = payment;
  return {
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    transactionId: payment.transaction_id,
    agentDid: payment.agent_did,
    status: payment.status,
    amount: fromMinor(payment.amount_minor, currency),
    currency,
    merchant: payment.merchant,
    rail: payment.rail,
    captured: fromMinor(payment.captured_minor, currency),
    refunded: fromMinor(payment.refunded_minor, currency),
    createdAt: new Date(payment.created_at).toISOString(),
  };
}

export function showPaymentRecord(payment: PaymentRow): PaymentRecord {
  return {
    ...showPayment(payment),
    ...(payment.rail_id === null ? {} : { railTransactionId: payment.rail_id }),
    ...(payment.error_code === null
      ? {}
      : { error: { code: payment.error_code, message: payment.error_message ?? '' } }),
    pmVc: JSON.parse(payment.credential),
  };
}
