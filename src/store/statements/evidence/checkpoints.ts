/** Checkpoints of evidence chains, and the subtrees that proofs are made of. */
import { all, get, run, type Script } from '../../store.ts';

/** How many events one kept subtree is over. */
export const SUBTREE_EVENTS = 256;

export interface CheckpointRow {
  readonly size: number;
  readonly note: string;
  readonly created_at: number;
}

/** @returns false when there is one of that size already */
export function* insertCheckpoint(tenantId: string, checkpoint: CheckpointRow): Script<boolean> {
  const changes = yield* run(
    `INSERT INTO checkpoints (tenant_id, size, note, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant_id, size) DO NOTHING`,
    tenantId,
    checkpoint.size,
    checkpoint.note,
    checkpoint.created_at,
  );
  return changes === 1;
}

export function* findCheckpoint(tenantId: string, size: number): Script<CheckpointRow | undefined> {
  return yield* get<CheckpointRow>(
    'SELECT size, note, created_at FROM checkpoints WHERE tenant_id = ? AND size = ?',
    tenantId,
    size,
  );
}

export function* findLastCheckpoint(tenantId: string): Script<CheckpointRow | undefined> {
  return yield* get<CheckpointRow>(
    'SELECT size, note, created_at FROM checkpoints WHERE tenant_id = ? ORDER BY size DESC LIMIT 1',
    tenantId,
  );
}

/** Largest first; `before` is the size of the last one on the page before. */
export function* listCheckpoints(tenantId: string, before: number | undefined, limit: number): Script<CheckpointRow[]> {
  return yield* all<CheckpointRow>(
    `SELECT size, note, created_at FROM checkpoints WHERE tenant_id = ?${before === undefined ? '' : ' AND size < ?'}
     ORDER BY size DESC LIMIT ?`,
    tenantId,
    ...(before === undefined ? [] : [before]),
    limit,
  );
}

export function* insertSubtree(tenantId: string, number: number, hash: string): Script<void> {
  yield* run(
    `INSERT INTO evidence_subtrees (tenant_id, number, hash) VALUES (?, ?, ?)
     ON CONFLICT (tenant_id, number) DO NOTHING`,
    tenantId,
    number,
    hash,
  );
}

export function* countSubtrees(tenantId: string): Script<number> {
  const row = yield* get<{ count: number }>(
    'SELECT COUNT(*) AS count FROM evidence_subtrees WHERE tenant_id = ?',
    tenantId,
  );
  return row?.count ?? 0;
}

/** The hashes of the first `count` subtrees. */
export function* listSubtrees(tenantId: string, count: number): Script<string[]> {
  const rows = yield* all<{ hash: string }>(
    'SELECT hash FROM evidence_subtrees WHERE tenant_id = ? AND number < ? ORDER BY number',
    tenantId,
    count,
  );
  return rows.map(({ hash }) => hash);
}

/** The hashes of the events with seq in the range, both ends included. */
export function* listEventHashes(tenantId: string, fromSeq: number, toSeq: number): Script<string[]> {
  const rows = yield* all<{ hash_curr: string }>(
    'SELECT hash_curr FROM evidence WHERE tenant_id = ? AND seq >= ? AND seq <= ? ORDER BY seq',
    tenantId,
    fromSeq,
    toSeq,
  );
  return rows.map((row) => row.hash_curr);
}
