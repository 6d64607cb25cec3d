/** The evidence chain of a tenant: appended to, never changed. */
import { all, allCached, get, putCached, type Script } from '../../store.ts';
import { allOf, type Condition, equal, listPage } from '../queries.ts';
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

type ChainHead = Pick<EvidenceRow, 'seq' | 'hash_curr'>;

const CHAIN_HEAD = 'SELECT seq, hash_curr FROM evidence WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1';

export function* findChainHead(tenantId: string): Script<ChainHead | undefined> {
  return (yield* allCached<ChainHead>('evidence', CHAIN_HEAD, tenantId))[0];
}

const insertEvidence = insertInto(evidence);

/** Appends an event. It is the head from then on, which the next event need not look for. */
export function* appendEvidence(row: EvidenceRow): Script<void> {
  yield* insertEvidence(row);
  yield* putCached('evidence', [{ seq: row.seq, hash_curr: row.hash_curr }], CHAIN_HEAD, row.tenant_id);
}

/** Selects events. Times are milliseconds since the epoch, `from` and `to` inclusive. */
export interface EvidenceFilter {
  readonly eventTypes?: readonly string[] | undefined;
  readonly actorDid?: string | undefined;
  readonly contextId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Matching events newest first; `before` is the seq of the last one on the page before. */
export function* listEvidence(
  tenantId: string,
  filter: EvidenceFilter,
  before: number | undefined,
  limit: number,
): Script<EvidenceRow[]> {
  return yield* listPage(evidence, yield* conditionsOf(tenantId, filter, before), 'seq DESC', limit);
}

/** A transaction's events, oldest first. */
export function listTransaction(tenantId: string, transactionId: string): Script<EvidenceRow[]> {
  return all('SELECT * FROM evidence WHERE tenant_id = ? AND transaction_id = ? ORDER BY seq', tenantId, transactionId);
}

function* conditionsOf(
  tenantId: string,
  { eventTypes = [], actorDid, contextId, from, to }: EvidenceFilter,
  before?: number,
): Script<(Condition | undefined)[]> {
  // Looked for among the few events of a session: written so that no engine takes its index for the better one.
  const among = (column: string) => (contextId === undefined ? column : `${column} || ''`);
  const types: Condition | undefined =
    eventTypes.length > 1
      ? [`event_type IN ${placeholders(eventTypes)}`, ...eventTypes]
      : equal(among('event_type'), eventTypes[0]);
  return [
    equal('tenant_id', tenantId),
    types,
    equal(among('actor_did'), actorDid),
    equal('context_id', contextId),
    yield* partOfChain(tenantId, from, to, before),
    from === undefined ? undefined : ['created_at >= ?', from],
    to === undefined ? undefined : ['created_at <= ?', to],
  ];
}

/**
 * How far the times of a chain may lie out of its order, by clocks that were set back. Within it, a search by time gives
 * every event; one that stands further from its time's place in the chain is found by its other members only.
 */
const SLACK_MS = 60_000;

/**
 * A search by time is one of a part of the chain, which each index knows, so that it needs no index of its own. It is
 * one condition, since SQLite takes the primary key for the best index where there are two.
 */
function* partOfChain(
  tenantId: string,
  from: number | undefined,
  to: number | undefined,
  before: number | undefined,
): Script<Condition | undefined> {
  if (from === undefined && to === undefined && before === undefined) return undefined;
  const first = from === undefined ? 1 : yield* firstSeqAt(tenantId, from - SLACK_MS);
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : yield* firstSeqAt(tenantId, to + SLACK_MS + 1);
  return ['seq BETWEEN ? AND ?', first, Math.min(end, before ?? end) - 1];
}

/** The seq of the first event from a time on, by bisection; the one after the last where there is none. */
function* firstSeqAt(tenantId: string, time: number): Script<number> {
  const next = 'SELECT created_at FROM evidence WHERE tenant_id = ? AND seq >= ? ORDER BY seq LIMIT 1';
  let low = 1;
  let high = ((yield* findChainHead(tenantId))?.seq ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = yield* get<{ created_at: number }>(next, tenantId, middle);
    if (found !== undefined && found.created_at < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The seq of the nth matching event counted from either end of the chain; undefined when there are fewer. */
export function* findSeq(
  tenantId: string,
  filter: EvidenceFilter,
  order: 'ASC' | 'DESC',
  nth: number,
): Script<number | undefined> {
  const { where, args } = allOf(yield* conditionsOf(tenantId, filter));
  const sql = `SELECT seq FROM evidence WHERE ${where} ORDER BY seq ${order} LIMIT 1 OFFSET ?`;
  return (yield* get<{ seq: number }>(sql, ...args, nth - 1))?.seq;
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
  // Read by the range and not by the type: written so that no engine takes its index for the better one.
  const sql = `SELECT * FROM evidence WHERE tenant_id = ? AND seq >= ? AND seq <= ?
    AND event_type || '' IN ${placeholders(eventTypes)} ORDER BY seq`;
  return all(sql, tenantId, fromSeq, toSeq, ...eventTypes);
}

/** Of any tenant; 0 where there is no event. */
export function* findNewestEventTime(): Script<number> {
  return (yield* get<{ last: number | null }>('SELECT MAX(created_at) AS last FROM evidence'))?.last ?? 0;
}
