/** What witnesses have cosigned of each chain, and how each of them stands to it. */
import { all, get, type Script } from '../../store.ts';
import { insertInto, integer, nullable, oneOf, type RowOf, table, text, upsertInto } from '../tableDefinition.ts';
import type { CheckpointRow } from './checkpoints.ts';

export const cosignatures = table('cosignatures', ['tenant_id', 'size', 'witness'], {
  tenant_id: text,
  size: integer,
  /** The witness's verifier key. */
  witness: text,
  /** A line of the note, with its newline. */
  line: text,
  created_at: integer,
});
type CosignatureRow = Omit<RowOf<typeof cosignatures>, 'tenant_id'>;

const insertNewCosignature = insertInto(cosignatures, 'ON CONFLICT (tenant_id, size, witness) DO NOTHING');

/** @returns false where there is one already */
export function insertCosignature(tenantId: string, row: CosignatureRow): Script<boolean> {
  return insertNewCosignature({ tenant_id: tenantId, ...row });
}

/** Those of checkpoints with sizes in the range, both ends included, by size and then the oldest first. */
export function listCosignatures(tenantId: string, fromSize: number, toSize: number): Script<CosignatureRow[]> {
  const sql = `SELECT size, witness, line, created_at FROM cosignatures
     WHERE tenant_id = ? AND size >= ? AND size <= ? ORDER BY size, created_at, witness`;
  return all(sql, tenantId, fromSize, toSize);
}

/** Of the newest checkpoints that are over so many events at least, the newest first. */
export function listNewestCosignatures(
  tenantId: string,
  atLeast: number,
  limit: number,
): Script<Pick<CosignatureRow, 'size' | 'witness'>[]> {
  const sql = `SELECT size, witness FROM cosignatures
     WHERE tenant_id = ? AND size >= ? ORDER BY size DESC, witness LIMIT ?`;
  return all(sql, tenantId, atLeast, limit);
}

export const chainWitnesses = table('chain_witnesses', ['tenant_id', 'witness'], {
  tenant_id: text,
  witness: text,
  /** Of the last checkpoint that it cosigned. */
  size: integer,
  /** Who asks it now, until `due_at`; without one it is not asked before. */
  node_id: nullable(text),
  due_at: integer,
  /** Failures since it was last reached. */
  tries: integer,
  failure: nullable(text),
  failing_since: nullable(integer),
  refusal: nullable(oneOf<'ahead' | 'contradicts'>()),
  seen_size: nullable(integer),
  refused_at: nullable(integer),
});
export type ChainWitnessRow = Omit<RowOf<typeof chainWitnesses>, 'tenant_id'>;

const upsertChainWitness = upsertInto(chainWitnesses);

export function putChainWitness(tenantId: string, row: ChainWitnessRow): Script<void> {
  return upsertChainWitness({ tenant_id: tenantId, ...row });
}

export function listChainWitnesses(tenantId: string): Script<ChainWitnessRow[]> {
  return all('SELECT * FROM chain_witnesses WHERE tenant_id = ? ORDER BY witness', tenantId);
}

/** The first checkpoint that is over more events than `size`. */
export function findCheckpointBeyond(tenantId: string, size: number): Script<CheckpointRow | undefined> {
  return get('SELECT * FROM checkpoints WHERE tenant_id = ? AND size > ? ORDER BY size LIMIT 1', tenantId, size);
}
