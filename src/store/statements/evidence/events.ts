/** The evidence chain of a tenant: appended to, never changed. */
import { all, allCached, get, putCached, type Script } from '../../store.ts';
import { insertInto, integer, nullable, placeholders, type RowOf, table, text } from '../tableDefinition.ts';

export const evidence = table(
  'evidence',
  ['tenant_id', 'seq'],
  {
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
    /** The first event of its run: a clock that was set back by more than `SLACK_MS` begins a new one. */
    run_seq: integer,
    /** The latest time of the run up to this event. */
    latest_at: integer,
  },
  {
    retention: { kept: 'the record itself' },
    isTestData: true,
  },
);
export type EvidenceRow = RowOf<typeof evidence>;

type ChainHead = Pick<EvidenceRow, 'seq' | 'hash_curr' | 'run_seq' | 'latest_at'>;

/** How far times of one run may lie out of its order: the clocks of several nodes differ. */
export const SLACK_MS = 60_000;

const CACHED = { tables: [evidence.name] };
const CHAIN_HEAD =
  'SELECT seq, hash_curr, run_seq, latest_at FROM evidence WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1';

export function* findChainHead(tenantId: string): Script<ChainHead | undefined> {
  return (yield* allCached<ChainHead>(CACHED, CHAIN_HEAD, tenantId))[0];
}

const insertEvidence = insertInto(evidence);

/** Appends an event to the head of its chain. It is the head from then on, which the next event need not look for. */
export function* appendEvidence(
  head: ChainHead | undefined,
  event: Omit<EvidenceRow, 'run_seq' | 'latest_at'>,
): Script<void> {
  const { tenant_id, seq, hash_curr, created_at } = event;
  const isInRun = head !== undefined && created_at >= head.latest_at - SLACK_MS;
  const run_seq = isInRun ? head.run_seq : seq;
  const latest_at = isInRun ? Math.max(head.latest_at, created_at) : created_at;
  yield* insertEvidence({ ...event, run_seq, latest_at });
  yield* putCached(CACHED, [{ seq, hash_curr, run_seq, latest_at }], CHAIN_HEAD, tenant_id);
}

/** A transaction's events, oldest first. */
export function listTransaction(tenantId: string, transactionId: string): Script<EvidenceRow[]> {
  const places = 'SELECT seq FROM evidence_lists WHERE tenant_id = ? AND transaction_id = ?';
  const sql = `SELECT * FROM evidence WHERE tenant_id = ? AND seq IN (${places}) ORDER BY seq`;
  return all(sql, tenantId, tenantId, transactionId);
}

/** Events of some types, of some transactions, oldest first. */
export function listPaymentEvents(
  tenantId: string,
  transactionIds: readonly string[],
  eventTypes: readonly string[],
): Script<Pick<EvidenceRow, 'event_type' | 'created_at' | 'data'>[]> {
  const places = `SELECT seq FROM evidence_lists WHERE tenant_id = ? AND transaction_id IN ${placeholders(transactionIds)}`;
  const sql = `SELECT event_type, created_at, data FROM evidence
    WHERE tenant_id = ? AND seq IN (${places}) AND event_type IN ${placeholders(eventTypes)} ORDER BY seq`;
  return all(sql, tenantId, tenantId, ...transactionIds, ...eventTypes);
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
