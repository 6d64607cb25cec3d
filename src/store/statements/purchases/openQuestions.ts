/** Payments that a person has to look at: without an outcome, or in dispute. */
import { all, count, type Script } from '../../store.ts';
import { lateParts, listAnyOf } from '../lateLists.ts';
import { type Condition, equal, listPage } from '../queries.ts';
import { type PaymentRow, payments } from './payments.ts';

/** Those that the node has left to a person, the oldest first. */
export function listFlaggedPayments(tenantId: string, limit: number): Script<PaymentRow[]> {
  return listPage(payments, [equal('tenant_id', tenantId), ['attention_at IS NOT NULL']], 'attention_at', limit);
}

/** Those that a rail has not answered for, and that the node goes on asking about, newest first. */
export function listUnansweredPayments(tenantId: string, limit: number): Script<PaymentRow[]> {
  const whose = equal('tenant_id', tenantId);
  const parts = lateParts('UNKNOWN').map((part) => [whose, ...part, ['attention_at IS NULL'] as Condition]);
  return listAnyOf(payments, parts, 'mandate_id DESC', limit);
}

interface DisputedRow extends PaymentRow {
  /** When the dispute was recorded. */
  readonly disputed_at: number | null;
}

const IN_DISPUTE = 'dispute_id IS NOT NULL AND dispute_outcome IS NULL';

/** Open disputes, those about the newest payments first. */
export function listDisputedPayments(tenantId: string, limit: number): Script<DisputedRow[]> {
  const opened = `SELECT MAX(created_at) FROM evidence WHERE evidence.tenant_id = payments.tenant_id
     AND evidence.transaction_id = payments.transaction_id AND event_type = 'PAYMENT_DISPUTED'`;
  const sql = `SELECT payments.*, (${opened}) AS disputed_at FROM payments
     WHERE tenant_id = ? AND ${IN_DISPUTE}     ORDER BY mandate_id DESC LIMIT ?`;
  return all(sql, tenantId, limit);
}

/** How many there are of each, counted up to a number. */
export function* countQuestions(
  tenantId: string,
  most: number,
): Script<{ readonly undecided: number; readonly disputed: number }> {
  const countUpTo = (where: string) => {
    const found = `SELECT mandate_id FROM payments WHERE tenant_id = ? AND ${where} LIMIT ?`;
    return count(`SELECT COUNT(*) AS count FROM (${found}) AS found`, tenantId, most);
  };
  const flagged = yield* countUpTo('attention_at IS NOT NULL');
  const listed = yield* countUpTo(
    "listed_as <> '' AND listed_as = 'UNKNOWN' AND status = 'UNKNOWN' AND attention_at IS NULL",
  );
  const unlisted = yield* countUpTo("unlisted = 1 AND status = 'UNKNOWN' AND attention_at IS NULL");
  const disputed = yield* countUpTo(IN_DISPUTE);
  return { undecided: Math.min(flagged + listed + unlisted, most), disputed };
}
