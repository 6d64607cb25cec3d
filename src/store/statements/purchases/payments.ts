/** Payments, each known by its mandate's id. */
import type { PaymentStatus } from '../../../../protocol/payment.ts';
import { all, get, run, type Script } from '../../store.ts';

export interface PaymentRow {
  readonly tenant_id: string;
  readonly mandate_id: string;
  readonly transaction_id: string;
  readonly context_id: string | null;
  readonly intent_id: string;
  readonly agent_did: string;
  readonly principal_did: string;
  readonly status: PaymentStatus;
  readonly amount_minor: number;
  readonly captured_minor: number;
  readonly refunded_minor: number;
  readonly currency: string;
  readonly merchant: string;
  readonly rail: string;
  readonly rail_id: string | null;
  readonly credential: string;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly created_at: number;
  /** Until when the rail holds the amount; null where nothing is held, or the rail does not let go of itself. */
  readonly hold_until: number | null;
  readonly dispute_id: string | null;
  readonly dispute_outcome: string | null;
}

export function* insertPayment(payment: PaymentRow): Script<void> {
  yield* run(
    `INSERT INTO payments (tenant_id, mandate_id, transaction_id, context_id, intent_id, agent_did, principal_did,
       status, amount_minor, captured_minor, refunded_minor, currency, merchant, rail, rail_id, credential,
       error_code, error_message, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    payment.tenant_id,
    payment.mandate_id,
    payment.transaction_id,
    payment.context_id,
    payment.intent_id,
    payment.agent_did,
    payment.principal_did,
    payment.status,
    payment.amount_minor,
    payment.captured_minor,
    payment.refunded_minor,
    payment.currency,
    payment.merchant,
    payment.rail,
    payment.rail_id,
    payment.credential,
    payment.error_code,
    payment.error_message,
    payment.created_at,
  );
}

export function* findPayment(tenantId: string, mandateId: string): Script<PaymentRow | undefined> {
  return yield* get<PaymentRow>('SELECT * FROM payments WHERE tenant_id = ? AND mandate_id = ?', tenantId, mandateId);
}

/** A payment by its id at a rail, in whichever tenant it is. */
export function* findPaymentAtRail(railId: string): Script<PaymentRow | undefined> {
  return yield* get<PaymentRow>('SELECT * FROM payments WHERE rail_id = ?', railId);
}

export function* findPaymentOfTransaction(tenantId: string, transactionId: string): Script<PaymentRow | undefined> {
  return yield* get<PaymentRow>(
    'SELECT * FROM payments WHERE tenant_id = ? AND transaction_id = ?',
    tenantId,
    transactionId,
  );
}

/** Writes back what a transition may change. */
export function* updatePayment(payment: PaymentRow): Script<void> {
  yield* run(
    `UPDATE payments SET status = ?, captured_minor = ?, refunded_minor = ?, rail_id = ?, error_code = ?,
       error_message = ?, hold_until = ?, dispute_id = ?, dispute_outcome = ? WHERE tenant_id = ? AND mandate_id = ?`,
    payment.status,
    payment.captured_minor,
    payment.refunded_minor,
    payment.rail_id,
    payment.error_code,
    payment.error_message,
    payment.hold_until,
    payment.dispute_id,
    payment.dispute_outcome,
    payment.tenant_id,
    payment.mandate_id,
  );
}

/** Newest first. */
export function* listPayments(
  tenantId: string,
  filter: { readonly status?: PaymentStatus | undefined; readonly agentDid?: string | undefined },
  before: string | undefined,
  limit: number,
): Script<PaymentRow[]> {
  const conditions = ['tenant_id = ?'];
  const args: (string | number)[] = [tenantId];
  const add = (condition: string, value: string) => {
    conditions.push(condition);
    args.push(value);
  };
  if (filter.status !== undefined) add('status = ?', filter.status);
  if (filter.agentDid !== undefined) add('agent_did = ?', filter.agentDid);
  if (before !== undefined) add('mandate_id < ?', before);
  return yield* all<PaymentRow>(
    `SELECT * FROM payments WHERE ${conditions.join(' AND ')} ORDER BY mandate_id DESC LIMIT ?`,
    ...args,
    limit,
  );
}

/** States in which a payment was authorised once, whatever came of it later. */
const AUTHORIZED_ONCE = "('AUTHORIZED', 'CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED', 'CANCELED')";

/** True when this agent had a payment at this merchant authorised before. */
export function* hasPaidMerchant(tenantId: string, agentDid: string, merchant: string): Script<boolean> {
  const row = yield* get(
    `SELECT mandate_id FROM payments
     WHERE tenant_id = ? AND agent_did = ? AND merchant = ? AND status IN ${AUTHORIZED_ONCE} LIMIT 1`,
    tenantId,
    agentDid,
    merchant,
  );
  return row !== undefined;
}

/** The agent's latest authorised amounts in a currency, in minor units. */
export function* listPaidAmounts(
  tenantId: string,
  agentDid: string,
  currency: string,
  limit: number,
): Script<number[]> {
  const rows = yield* all<{ amount_minor: number }>(
    `SELECT amount_minor FROM payments
     WHERE tenant_id = ? AND agent_did = ? AND currency = ? AND status IN ${AUTHORIZED_ONCE}
     ORDER BY mandate_id DESC LIMIT ?`,
    tenantId,
    agentDid,
    currency,
    limit,
  );
  return rows.map((row) => row.amount_minor);
}

/** Authorized payments whose hold ends before a time. @param warned whether that was said already */
export function* listEndingHolds(before: number, warned: boolean, limit: number): Script<PaymentRow[]> {
  return yield* all<PaymentRow>(
    `SELECT * FROM payments WHERE status = 'AUTHORIZED' AND hold_until <= ? AND hold_warned = ?
     ORDER BY hold_until LIMIT ?`,
    before,
    warned ? 1 : 0,
    limit,
  );
}

/** @returns false when it was noted before */
export function* noteHoldWarning(tenantId: string, mandateId: string): Script<boolean> {
  const changes = yield* run(
    'UPDATE payments SET hold_warned = 1 WHERE tenant_id = ? AND mandate_id = ? AND hold_warned = 0',
    tenantId,
    mandateId,
  );
  return changes === 1;
}

/** How many payments no rail has answered for yet. */
export function* countUnknownPayments(): Script<number> {
  const row = yield* get<{ unknown_payments: number }>(
    "SELECT COUNT(*) AS unknown_payments FROM payments WHERE status = 'UNKNOWN'",
  );
  return row?.unknown_payments ?? 0;
}
