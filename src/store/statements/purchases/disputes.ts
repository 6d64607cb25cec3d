/** Disputes of payments, each identified by its payment and the rail's id of it. */
import { type DisputeStatus, OPEN_DISPUTES } from '../../../../protocol/payment.ts';
import { all, count, get, type Script } from '../../store.ts';
import { type Condition, earlier, equal, listPage } from '../queries.ts';
import {
  integer,
  nullable,
  oneOf,
  placeholders,
  type RowOf,
  table,
  text,
  updateOf,
  upsertInto,
} from '../tableDefinition.ts';
import type { PaymentRow } from './payments.ts';

export const disputes = table(
  'disputes',
  ['tenant_id', 'mandate_id', 'rail_dispute_id'],
  {
    tenant_id: text,
    mandate_id: text,
    rail_dispute_id: text,
    id: text,
    agent_did: text,
    amount_minor: integer,
    currency: text,
    /** As the rail calls it. */
    reason: nullable(text),
    status: oneOf<DisputeStatus>(),
    due_by: nullable(integer),
    opened_at: integer,
    closed_at: nullable(integer),
    /** When the rail last said something of it, by the rail's clock. */
    told_at: nullable(integer),
    /** How many submissions of evidence are recorded. */
    submissions: integer,
    /** When the rail was asked to submit evidence, and for whom as JSON, while its answer is not recorded. */
    submitting_at: nullable(integer),
    submitting_by: nullable(text),
  },
  {
    retention: { kept: 'they say what became of the money' },
    isTestData: true,
  },
);
export type DisputeRow = RowOf<typeof disputes>;

export const putDispute = upsertInto(disputes);

export const updateSubmission = updateOf(disputes, {
  set: ['submissions', 'submitting_at', 'submitting_by'],
  where: ['tenant_id', 'id'],
});

/** Those whose rail was asked to submit evidence before a time, without a record of its answer: the longest waiting first. */
export function listUnrecordedSubmissions(before: number, limit: number): Script<DisputeRow[]> {
  return all('SELECT * FROM disputes WHERE submitting_at <= ? ORDER BY submitting_at LIMIT ?', before, limit);
}

export function findDispute(
  { tenant_id, mandate_id }: Pick<PaymentRow, 'tenant_id' | 'mandate_id'>,
  railDisputeId: string,
): Script<DisputeRow | undefined> {
  const sql = 'SELECT * FROM disputes WHERE tenant_id = ? AND mandate_id = ? AND rail_dispute_id = ?';
  return get(sql, tenant_id, mandate_id, railDisputeId);
}

export function findDisputeById(tenantId: string, id: string): Script<DisputeRow | undefined> {
  return get('SELECT * FROM disputes WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** Those of some payments, the oldest first. Nothing is read where none of them was ever disputed. */
export function* disputesOf(payments: readonly PaymentRow[]): Script<DisputeRow[]> {
  const disputed = payments.filter((payment) => payment.dispute_count > 0);
  const [first] = disputed;
  if (first === undefined) return [];
  const ids = disputed.map((payment) => payment.mandate_id);
  const sql = `SELECT * FROM disputes WHERE tenant_id = ? AND mandate_id IN ${placeholders(ids)} ORDER BY opened_at, id`;
  return yield* all(sql, first.tenant_id, ...ids);
}

/** A payment with its disputes. */
export type DisputedPaymentRow = PaymentRow & { readonly disputes: readonly DisputeRow[] };

export function* withDisputes(payments: readonly PaymentRow[]): Script<DisputedPaymentRow[]> {
  const found = yield* disputesOf(payments);
  return payments.map((payment) => ({
    ...payment,
    disputes: found.filter(({ mandate_id: id }) => id === payment.mandate_id),
  }));
}

const IS_OPEN: Condition = [`status IN (${OPEN_DISPUTES.map((status) => `'${status}'`).join(', ')})`];

interface DisputeFilter {
  readonly status?: DisputeStatus | undefined;
  readonly agentDid?: string | undefined;
}

/** Newest first. */
export function listDisputes(
  tenantId: string,
  { status, agentDid }: DisputeFilter,
  before: string | undefined,
  limit: number,
): Script<DisputeRow[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    equal('agent_did', agentDid),
    equal('status', status),
    earlier('id', before),
  ];
  return listPage(disputes, conditions, 'id DESC', limit);
}

/** Open disputes with their payments: those that have to be answered first come first, and those without such a time last. */
export function listOpenDisputes(
  tenantId: string,
  limit: number,
): Script<(DisputeRow & Pick<PaymentRow, 'merchant'>)[]> {
  const sql = `SELECT disputes.*, payments.merchant FROM disputes
     JOIN payments ON payments.tenant_id = disputes.tenant_id AND payments.mandate_id = disputes.mandate_id
     WHERE disputes.tenant_id = ? AND disputes.${IS_OPEN[0]}
     ORDER BY CASE WHEN due_by IS NULL THEN 1 ELSE 0 END, due_by, disputes.id LIMIT ?`;
  return all(sql, tenantId, limit);
}

/** How many are open, counted up to a number. */
export function countOpenDisputes(tenantId: string, most: number): Script<number> {
  const open = `SELECT id FROM disputes WHERE tenant_id = ? AND ${IS_OPEN[0]} LIMIT ?`;
  return count(`SELECT COUNT(*) AS count FROM (${open}) AS open`, tenantId, most);
}
