/** Payments without an outcome, which a person has to look at. */
import { count, type Script } from '../../store.ts';
import { type Condition, equal, listPage } from '../queries.ts';
import { type PaymentRow, payments } from './payments.ts';

/** Those that the node has left to a person, the oldest first. */
export function listFlaggedPayments(tenantId: string, limit: number): Script<PaymentRow[]> {
  return listPage(payments, [equal('tenant_id', tenantId), ['attention_at IS NOT NULL']], 'attention_at', limit);
}

/** Those that a rail has not answered for, and that the node goes on asking about, newest first. */
export function listUnansweredPayments(tenantId: string, limit: number): Script<PaymentRow[]> {
  const unanswered: Condition = ["status = 'UNKNOWN' AND attention_at IS NULL"];
  return listPage(payments, [equal('tenant_id', tenantId), unanswered], 'mandate_id DESC', limit);
}

/** How many there are, counted up to a number. */
export function* countUndecidedPayments(tenantId: string, most: number): Script<number> {
  const countUpTo = (where: string) => {
    const found = `SELECT mandate_id FROM payments WHERE tenant_id = ? AND ${where} LIMIT ?`;
    return count(`SELECT COUNT(*) AS count FROM (${found}) AS found`, tenantId, most);
  };
  const flagged = yield* countUpTo('attention_at IS NOT NULL');
  const unanswered = yield* countUpTo("status = 'UNKNOWN' AND attention_at IS NULL");
  return Math.min(flagged + unanswered, most);
}
