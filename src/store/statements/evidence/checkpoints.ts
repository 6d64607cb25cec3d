/** Checkpoints of evidence chains, and the hashes of Merkle subtrees that proofs are computed from. */
import { all, get, type Script } from '../../store.ts';
import { earlier, equal, listPage } from '../queries.ts';
import { insertInto, integer, type RowOf, table, text } from '../tableDefinition.ts';

/** How many subtrees of one level, or events, a subtree of the next level covers. */
export const SUBTREE_WIDTH = 256;

export const checkpoints = table(
  'checkpoints',
  ['tenant_id', 'size'],
  {
    tenant_id: text,
    size: integer,
    note: text,
    created_at: integer,
  },
  {
    retention: { kept: 'a reader may have kept any of them' },
    isTestData: true,
  },
);
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

export const evidenceSubtrees = table(
  'evidence_subtrees',
  ['tenant_id', 'level', 'number'],
  {
    tenant_id: text,
    /** A subtree of level n covers SUBTREE_WIDTH ** n events. */
    level: integer,
    /** Its place among those of its level, from 0. */
    number: integer,
    hash: text,
  },
  {
    retention: { kept: 'proofs over the whole chain are made of them' },
    isTestData: true,
  },
);
type SubtreeRow = Omit<RowOf<typeof evidenceSubtrees>, 'tenant_id'>;

const insertNewSubtree = insertInto(evidenceSubtrees, 'ON CONFLICT (tenant_id, level, number) DO NOTHING');

export function insertSubtree(tenantId: string, subtree: SubtreeRow): Script<boolean> {
  return insertNewSubtree({ tenant_id: tenantId, ...subtree });
}

/** How many subtrees of a level are kept; they are from the first on. */
export function* countSubtrees(tenantId: string, level: number): Script<number> {
  const sql = 'SELECT number FROM evidence_subtrees WHERE tenant_id = ? AND level = ? ORDER BY number DESC LIMIT 1';
  return ((yield* get<{ number: number }>(sql, tenantId, level))?.number ?? -1) + 1;
}

/** The subtrees of a level with numbers in the range, both ends included. */
export function listSubtrees(
  tenantId: string,
  level: number,
  from: number,
  to: number,
): Script<Pick<SubtreeRow, 'number' | 'hash'>[]> {
  const sql = `SELECT number, hash FROM evidence_subtrees
     WHERE tenant_id = ? AND level = ? AND number >= ? AND number <= ? ORDER BY number`;
  return all(sql, tenantId, level, from, to);
}

/** The hashes of the events with seq in the range, both ends included. */
export function* listEventHashes(tenantId: string, fromSeq: number, toSeq: number): Script<string[]> {
  const sql = 'SELECT hash_curr AS hash FROM evidence WHERE tenant_id = ? AND seq >= ? AND seq <= ? ORDER BY seq';
  return (yield* all<{ hash: string }>(sql, tenantId, fromSeq, toSeq)).map(({ hash }) => hash);
}
