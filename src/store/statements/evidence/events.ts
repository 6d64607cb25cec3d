/** The evidence chain of a tenant: appended to, never changed. */
import { all, get, type Script } from '../../store.ts';
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

/** A transaction's events, oldest first. */
export function listTransaction(tenantId: string, transactionId: string): Script<EvidenceRow[]> {
  return all('SELECT * FROM evidence WHERE tenant_id = ? AND transaction_id = ? ORDER BY seq', tenantId, transactionId);
}

/** The events with seq in the range, both ends included. */
export function listRange(tenantId: string, fromSeq: number, toSeq: number): Script<EvidenceRow[]> {
  const sql = 'SELECT * FROM evidence WHERE tenant_id = ? AND seq >= ? AND seq <= ? ORDER BY seq';
  return all(sql, tenantId, fromSeq, toSeq);
}

/** As listRange, of these types alone. */
export function listRangeOfTypes(
  tenantId: string,
  fromSeq: number,
  toSeq: number,
  eventTypes: readonly string[],
): Script<EvidenceRow[]> {
  const sql = `SELECT * FROM evidence WHERE tenant_id = ? AND seq >= ? AND seq <= ?
    AND event_type IN ${placeholders(eventTypes)} ORDER BY seq`;
  return all(sql, tenantId, fromSeq, toSeq, ...eventTypes);
}

/** Of any tenant; 0 where there is no event. */
export function* findNewestEventTime(): Script<number> {
  return (yield* get<{ last: number | null }>('SELECT MAX(created_at) AS last FROM evidence'))?.last ?? 0;
}
