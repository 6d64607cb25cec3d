/** The evidence chain of a tenant: appended to, never changed. */
import { all, get, run, type Script } from '../../store.ts';

export interface EvidenceRow {
  readonly tenant_id: string;
  readonly seq: number;
  readonly id: string;
  readonly event_type: string;
  readonly actor_did: string;
  readonly data: string;
  readonly hash_prev: string;
  readonly hash_curr: string;
  readonly created_at: number;
  readonly transaction_id: string | null;
  readonly context_id: string | null;
}

interface ChainHead {
  readonly seq: number;
  readonly hash_curr: string;
  /** Read along, so that an event nobody subscribed to costs no statement more. */
  readonly webhooks_version: string;
}

export function* findChainHead(tenantId: string): Script<ChainHead | undefined> {
  return yield* get<ChainHead>(
    `SELECT seq, hash_curr, (SELECT webhooks_version FROM tenants WHERE id = ?) AS webhooks_version
     FROM evidence WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1`,
    tenantId,
    tenantId,
  );
}

export function* insertEvidence(event: EvidenceRow): Script<void> {
  yield* run(
    `INSERT INTO evidence (tenant_id, seq, id, event_type, actor_did, data, hash_prev, hash_curr, created_at,
       transaction_id, context_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.tenant_id,
    event.seq,
    event.id,
    event.event_type,
    event.actor_did,
    event.data,
    event.hash_prev,
    event.hash_curr,
    event.created_at,
    event.transaction_id,
    event.context_id,
  );
}

/** What a reader may ask for; times are milliseconds, `from` and `to` inclusive. */
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
  const { where, args } = conditionsOf(tenantId, filter);
  return yield* all<EvidenceRow>(
    `SELECT * FROM evidence WHERE ${where}${before === undefined ? '' : ' AND seq < ?'} ORDER BY seq DESC LIMIT ?`,
    ...args,
    ...(before === undefined ? [] : [before]),
    limit,
  );
}

/** A transaction's events, oldest first. */
export function* listTransaction(tenantId: string, transactionId: string): Script<EvidenceRow[]> {
  return yield* all<EvidenceRow>(
    'SELECT * FROM evidence WHERE tenant_id = ? AND transaction_id = ? ORDER BY seq',
    tenantId,
    transactionId,
  );
}

function conditionsOf(tenantId: string, filter: EvidenceFilter): { where: string; args: (string | number)[] } {
  const conditions = ['tenant_id = ?'];
  const args: (string | number)[] = [tenantId];
  const add = (condition: string, ...values: (string | number)[]) => {
    conditions.push(condition);
    args.push(...values);
  };
  if (filter.eventTypes !== undefined && filter.eventTypes.length > 0) {
    add(`event_type IN (${filter.eventTypes.map(() => '?').join(', ')})`, ...filter.eventTypes);
  }
  if (filter.actorDid !== undefined) add('actor_did = ?', filter.actorDid);
  if (filter.contextId !== undefined) add('context_id = ?', filter.contextId);
  if (filter.from !== undefined) add('created_at >= ?', filter.from);
  if (filter.to !== undefined) add('created_at <= ?', filter.to);
  return { where: conditions.join(' AND '), args };
}

/** The seq of the nth matching event counted from either end of the chain; undefined when there are fewer. */
export function* findSeq(
  tenantId: string,
  filter: EvidenceFilter,
  order: 'ASC' | 'DESC',
  nth: number,
): Script<number | undefined> {
  const { where, args } = conditionsOf(tenantId, filter);
  const row = yield* get<{ seq: number }>(
    `SELECT seq FROM evidence WHERE ${where} ORDER BY seq ${order} LIMIT 1 OFFSET ?`,
    ...args,
    nth - 1,
  );
  return row?.seq;
}

/** The events with seq in the range, both ends included. */
export function* listRange(tenantId: string, fromSeq: number, toSeq: number): Script<EvidenceRow[]> {
  return yield* all<EvidenceRow>(
    'SELECT * FROM evidence WHERE tenant_id = ? AND seq >= ? AND seq <= ? ORDER BY seq',
    tenantId,
    fromSeq,
    toSeq,
  );
}
