/** Checkpoints of evidence chains, and the hashes of Merkle subtrees that proofs are computed from. */
import { all, count, get, type Script } from '../../store.ts';
import { earlier, equal, listPage } from '../queries.ts';
import { insertInto, integer, type RowOf, table, text } from '../tableDefinition.ts';

/** How many events each stored subtree covers. */
export const SUBTREE_EVENTS = 256;

export const checkpoints = table('checkpoints', ['tenant_id', 'size'], {
  tenant_id: text,
  size: integer,
  note: text,
  created_at: integer,
});
export type CheckpointRow = Omit<RowOf<typeof checkpoints>, 'tenant_id'>;

const insertNewCheckpoint = insertInto(checkpoints, 'ON CONFLICT (tenant_id, size) DO NOTHING');

/** @returns false when there is one of that size already */
export function insertCheckpoint(tenantId: string, checkpoint: CheckpointRow): Script<boolean> {
  return insertNewCheckpoint({ tenant_id: tenantId, ...checkpoint });
}

export function findCheckpoint(tenantId: string, size: number): Script<CheckpointRow | undefined> {
  return get('SELECT * FROM checkpoints WHERE tenant_id = ? AND size = ?', tenantId, size);
}

export function findLastCheckpoint(tenantId: string): Script<CheckpointRow | undefined> {
  return get('SELECT * FROM checkpoints WHERE tenant_id = ? ORDER BY size DESC LIMIT 1', tenantId);
}

/** Largest first; `before` is the size of the last one on the page before. */
export function listCheckpoints(tenantId: string, before: number | undefined, limit: number): Script<CheckpointRow[]> {
  return listPage(checkpoints, [equal('tenant_id', tenantId), earlier('size', before)], 'size DESC', limit);
}

/** Those over more events than `after` and at most `upTo`, smallest first. */
export function listCheckpointsBetween(
  tenantId: string,
  after: number,
  upTo: number,
  limit: number,
): Script<CheckpointRow[]> {
  const sql = 'SELECT * FROM checkpoints WHERE tenant_id = ? AND size > ? AND size <= ? ORDER BY size LIMIT ?';
  return all(sql, tenantId, after, upTo, limit);
}

export const evidenceSubtrees = table('evidence_subtrees', ['tenant_id', 'number'], {
  tenant_id: text,
  number: integer,
  hash: text,
});

const insertNewSubtree = insertInto(evidenceSubtrees, 'ON CONFLICT (tenant_id, number) DO NOTHING');

export function insertSubtree(tenantId: string, number: number, hash: string): Script<boolean> {
  return insertNewSubtree({ tenant_id: tenantId, number, hash });
}

export function countSubtrees(tenantId: string): Script<number> {
  return count('SELECT COUNT(*) AS count FROM evidence_subtrees WHERE tenant_id = ?', tenantId);
}

/** The hashes of the first subtrees. @param subtrees how many */
export function* listSubtrees(tenantId: string, subtrees: number): Script<string[]> {
  const sql = 'SELECT hash FROM evidence_subtrees WHERE tenant_id = ? AND number < ? ORDER BY number';
  return (yield* all<{ hash: string }>(sql, tenantId, subtrees)).map(({ hash }) => hash);
}

/** The hashes of the events with seq in the range, both ends included. */
export function* listEventHashes(tenantId: string, fromSeq: number, toSeq: number): Script<string[]> {
  const sql = 'SELECT hash_curr AS hash FROM evidence WHERE tenant_id = ? AND seq >= ? AND seq <= ? ORDER BY seq';
  return (yield* all<{ hash: string }>(sql, tenantId, fromSeq, toSeq)).map(({ hash }) => hash);
}
