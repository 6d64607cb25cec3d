/** The evidence chain of a tenant: appended to, never changed. */
import { all, get, type Script } from '../../store.ts';
import { allOf, type Condition, earlier, equal, listPage } from '../queries.ts';
import { insertInto, integer, nullable, placeholders, type RowOf, table, text } from '../tableDefinition.ts';

export const evidence = table('evidence', ['tenant_id', 'seq'], {
  tenant_id: text,
  seq: integer,
  id: text,
  event_type: text,
  actor_did: text,
  data: text,
  hash_prev: text,
  hash_curr: text,
  created_at: integer,
  transaction_id: nullable(text),
  context_id: nullable(text),
});
export type EvidenceRow = RowOf<typeof evidence>;

interface ChainHead {
  readonly seq: number;
  readonly hash_curr: string;
  /** Read in the same statement, so that an event without subscribers costs no further one. */
  readonly webhooks_version: string;
}

export function findChainHead(tenantId: string): Script<ChainHead | undefined> {
  return get(
    `SELECT seq, hash_curr, (SELECT webhooks_version FROM tenants WHERE id = ?) AS webhooks_version
     FROM evidence WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1`,
    tenantId,
    tenantId,
  );
}

export const insertEvidence = insertInto(evidence);

/** Selects events. Times are milliseconds since the epoch, `from` and `to` inclusive. */
export interface EvidenceFilter {
  readonly eventTypes?: readonly string[] | undefined;
  readonly actorDid?: string | undefined;
  readonly contextId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Matching events newest first; `before` is the seq of the last one on the page before. */
export function listEvidence(
  tenantId: string,
  filter: EvidenceFilter,
  before: number | undefined,
  limit: number,
): Script<EvidenceRow[]> {
  return listPage(evidence, [...conditionsOf(tenantId, filter), earlier('seq', before)], 'seq DESC', limit);
}

/** A transaction's events, oldest first. */
export function listTransaction(tenantId: string, transactionId: string): Script<EvidenceRow[]> {
  return all('SELECT * FROM evidence WHERE tenant_id = ? AND transaction_id = ? ORDER BY seq', tenantId, transactionId);
}

function conditionsOf(
  tenantId: string,
  { eventTypes = [], actorDid, contextId, from, to }: EvidenceFilter,
): (Condition | undefined)[] {
  return [
    equal('tenant_id', tenantId),
    eventTypes.length > 0 ? [`event_type IN ${placeholders(eventTypes)}`, ...eventTypes] : undefined,
    equal('actor_did', actorDid),
    equal('context_id', contextId),
    from === undefined ? undefined : ['created_at >= ?', from],
    to === undefined ? undefined : ['created_at <= ?', to],
  ];
}

/** The seq of the nth matching event counted from either end of the chain; undefined when there are fewer. */
export function* findSeq(
  tenantId: string,
  filter: EvidenceFilter,
  order: 'ASC' | 'DESC',
  nth: number,
): Script<number | undefined> {
  const { where, args } = allOf(conditionsOf(tenantId, filter));
  const sql = `SELECT seq FROM evidence WHERE ${where} ORDER BY seq ${order} LIMIT 1 OFFSET ?`;
  return (yield* get<{ seq: number }>(sql, ...args, nth - 1))?.seq;
}

/** The events with seq in the range, both ends included. */
export function listRange(tenantId: string, fromSeq: number, toSeq: number): Script<EvidenceRow[]> {
  const sql = 'SELECT * FROM evidence WHERE tenant_id = ? AND seq >= ? AND seq <= ? ORDER BY seq';
  return all(sql, tenantId, fromSeq, toSeq);
}

/** Of any tenant; 0 where there is no event. */
export function* findNewestEventTime(): Script<number> {
  return (yield* get<{ last: number | null }>('SELECT MAX(created_at) AS last FROM evidence'))?.last ?? 0;
}
