/** Payments, each identified by its mandate's id. */
import type { PaymentStatus } from '../../../../protocol/payment.ts';
import { all, changed, count, exists, get, type Script, send } from '../../store.ts';
import { lateParts, listAnyOf } from '../lateLists.ts';
import { agentAtMerchant, allOf, type Condition, earlier, equal, listPage, type Span, within } from '../queries.ts';
import {
  derived,
  flag,
  insertInto,
  integer,
  later,
  nullable,
  oneOf,
  type RowOf,
  table,
  text,
  updateOf,
} from '../tableDefinition.ts';

export const payments = table('payments', ['tenant_id', 'mandate_id'], {
  tenant_id: text,
  mandate_id: text,
  transaction_id: text,
  context_id: nullable(text),
  intent_id: text,
  agent_did: text,
  principal_did: text,
  status: oneOf<PaymentStatus>(),
  amount_minor: integer,
  captured_minor: integer,
  refunded_minor: integer,
  currency: text,
  merchant: text,
  rail: text,
  rail_id: nullable(text),
  credential: text,
  error_code: nullable(text),
  error_message: nullable(text),
  created_at: integer,
  /** When the rail authorized it; until then, when it was asked for. */
  authorized_at: integer,
  /** The cart that it pays; null where that was not recorded yet. */
  cart_hash: nullable(text),
  /** Until when the rail holds the amount; null without a hold, or when it does not expire. */
  hold_until: later(nullable(integer)),
  /** 1 once the warning that the hold is ending was recorded. */
  hold_warned: later(flag),
  /** The rail's dispute about the payment, and its outcome. */
  dispute_id: later(nullable(text)),
  dispute_outcome: later(nullable(text)),
  /** Why a person has to look at it, and since when. */
  attention: later(nullable(text)),
  attention_at: later(nullable(integer)),
  /** When a refund was last taken back. */
  refund_failed_at: later(nullable(integer)),
  /** The task that waits for its outcome. */
  task_id: later(nullable(text)),
  /** The status under which the indexes of lists have it; empty before they do. */
  listed_as: derived(oneOf<PaymentStatus | ''>()),
  /** 1 while that is not its status. */
  unlisted: derived(flag),
});
export type PaymentRow = Omit<RowOf<typeof payments>, 'hold_warned' | 'listed_as' | 'unlisted'>;

export const insertPayment = insertInto(payments);

/** Notes which task waits for a payment's outcome. */
export function notePaymentTask(tenantId: string, mandateId: string, taskId: string): Script<void> {
  return send('UPDATE payments SET task_id = ? WHERE tenant_id = ? AND mandate_id = ?', taskId, tenantId, mandateId);
}

export function findPayment(tenantId: string, mandateId: string): Script<PaymentRow | undefined> {
  return get('SELECT * FROM payments WHERE tenant_id = ? AND mandate_id = ?', tenantId, mandateId);
}

/** A payment of any tenant, by its id at a rail. */
export function findPaymentAtRail(railId: string): Script<PaymentRow | undefined> {
  return get('SELECT * FROM payments WHERE rail_id = ?', railId);
}

export function findPaymentOfTransaction(tenantId: string, transactionId: string): Script<PaymentRow | undefined> {
  return get('SELECT * FROM payments WHERE tenant_id = ? AND transaction_id = ?', tenantId, transactionId);
}

/** Writes the columns that a transition may change. */
export const updatePayment = updateOf(payments, {
  set: [
    'status',
    'captured_minor',
    'refunded_minor',
    'rail_id',
    'error_code',
    'error_message',
    'hold_until',
    'dispute_id',
    'dispute_outcome',
    'authorized_at',
    'attention',
    'attention_at',
    'refund_failed_at',
  ],
  where: ['tenant_id', 'mandate_id'],
});

/** Newest first. */
export function listPayments(
  tenantId: string,
  filter: Span & {
    readonly status?: PaymentStatus | undefined;
    readonly agentDid?: string | undefined;
    readonly merchant?: string | undefined;
  },
  before: string | undefined,
  limit: number,
): Script<PaymentRow[]> {
  const whose = agentAtMerchant(filter);
  const conditions = [equal('tenant_id', tenantId), ...whose, ...within('mandate_id', 'pm_', filter, before)];
  const order = 'mandate_id DESC';
  const isFiltered = filter.status !== undefined || whose.some((condition) => condition !== undefined);
  if (!isFiltered) return listPage(payments, conditions, order, limit);
  const parts = lateParts(filter.status).map((part) => [...conditions, ...part]);
  return listAnyOf(payments, parts, order, limit);
}

/** The states of payments that were authorised at some time. */
const AUTHORIZED_ONCE = "('AUTHORIZED', 'CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED', 'CANCELED')";

/** True when this agent had a payment at this merchant authorised before. @param before only payments with a smaller id */
export function* hasPaidMerchant(
  tenantId: string,
  agentDid: string,
  merchant: string,
  before?: string,
): Script<boolean> {
  for (const part of lateParts(undefined)) {
    const { where, args } = allOf([
      ['tenant_id = ? AND agent_did = ? AND merchant = ?', tenantId, agentDid, merchant],
      earlier('mandate_id', before),
      ...part,
    ]);
    const sql = `SELECT mandate_id FROM payments WHERE ${where} AND status IN ${AUTHORIZED_ONCE} LIMIT 1`;
    if (yield* exists(sql, ...args)) return true;
  }
  return false;
}

/** The agent's latest authorised amounts in a currency, in minor units. @param before only of payments with a smaller id */
export function* listPaidAmounts(
  tenantId: string,
  agentDid: string,
  currency: string,
  limit: number,
  before?: string,
): Script<number[]> {
  const whose: Condition = ['tenant_id = ? AND agent_did = ? AND currency = ?', tenantId, agentDid, currency];
  const once: Condition = [`status IN ${AUTHORIZED_ONCE}`];
  const parts = lateParts(undefined).map((part) => [whose, once, earlier('mandate_id', before), ...part]);
  const rows = yield* listAnyOf(payments, parts, 'mandate_id DESC', limit);
  return rows.map((row) => row.amount_minor);
}

/** A condition: a payment for this cart was authorized, whatever became of it, or is not decided yet. */
export function isCartPaid(tenant: string, cartHash: string): string {
  return `EXISTS (SELECT 1 FROM payments WHERE payments.tenant_id = ${tenant} AND payments.cart_hash = ${cartHash}
    AND payments.status <> 'FAILED')`;
}

/** Authorized payments whose hold ends before a time. @param warned whether the warning was recorded already */
export function listEndingHolds(before: number, warned: boolean, limit: number): Script<PaymentRow[]> {
  const sql = `SELECT * FROM payments WHERE status = 'AUTHORIZED' AND hold_until <= ? AND hold_warned = ?
     ORDER BY hold_until LIMIT ?`;
  return all(sql, before, warned ? 1 : 0, limit);
}

/** @returns false when the warning was recorded before */
export function recordHoldWarning(tenantId: string, mandateId: string): Script<boolean> {
  const sql = 'UPDATE payments SET hold_warned = 1 WHERE tenant_id = ? AND mandate_id = ? AND hold_warned = 0';
  return changed(sql, tenantId, mandateId);
}

/** How many payments have an unknown outcome. */
export function countUnknownPayments(): Script<number> {
  return count("SELECT COUNT(*) AS count FROM payments WHERE status = 'UNKNOWN'");
}
