/** What witnesses have cosigned of each chain, and how each of them stands to it. */
import { all, get, type Script } from '../../store.ts';
import { integer, nullable, oneOf, placeholders, type RowOf, table, text, upsertInto } from '../tableDefinition.ts';
import type { CheckpointRow } from './checkpoints.ts';

export const cosignatures = table(
  'cosignatures',
  ['tenant_id', 'size', 'witness'],
  {
    tenant_id: text,
    size: integer,
    /** The witness's verifier key. */
    witness: text,
    /** A line of the note, with its newline. */
    line: text,
    created_at: integer,
  },
  {
    retention: { kept: 'as long as their checkpoints' },
    isTestData: true,
  },
);
type CosignatureRow = Omit<RowOf<typeof cosignatures>, 'tenant_id'>;

const upsertCosignature = upsertInto(cosignatures);

/** In place of what the witness has cosigned of it before, which may have been stored with a time that cannot be. */
export function putCosignature(tenantId: string, row: CosignatureRow): Script<void> {
  return upsertCosignature({ tenant_id: tenantId, ...row });
}

/** Those of checkpoints with sizes in the range, both ends included, by size and then the oldest first. */
export function listCosignatures(tenantId: string, fromSize: number, toSize: number): Script<CosignatureRow[]> {
  const sql = `SELECT size, witness, line, created_at FROM cosignatures
     WHERE tenant_id = ? AND size >= ? AND size <= ? ORDER BY size, created_at, witness`;
  return all(sql, tenantId, fromSize, toSize);
}

/** Which checkpoints are looked for. */
interface CosignedSearch {
  /** Verifier keys, at least one. */
  readonly witnesses: readonly string[];
  /** How many of them have cosigned. */
  readonly quorum: number;
  readonly fromSize: number;
  readonly toSize: number;
  /** So many cosignatures, of whomever, are looked through, the newest first: they are in this order in the index of the key. */
  readonly mostRows: number;
}

/** The sizes of the newest checkpoints that enough of the witnesses have cosigned, the largest first. */
export function* listCosignedSizes(
  tenantId: string,
  { witnesses, quorum, fromSize, toSize, mostRows }: CosignedSearch,
  limit: number,
): Script<number[]> {
  const sql = `SELECT size FROM (
       SELECT size, witness FROM cosignatures WHERE tenant_id = ? AND size >= ? AND size <= ?
       ORDER BY size DESC, witness DESC LIMIT ?
     ) AS newest
     WHERE witness IN ${placeholders(witnesses)} GROUP BY size HAVING COUNT(*) >= ? ORDER BY size DESC LIMIT ?`;
  const found = yield* all<{ size: number }>(sql, tenantId, fromSize, toSize, mostRows, ...witnesses, quorum, limit);
  return found.map(({ size }) => size);
}

export const chainWitnesses = table(
  'chain_witnesses',
  ['tenant_id', 'witness'],
  {
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
    /** Since when it is asked in vain: from before it is asked until it has answered as it should. */
    failing_since: nullable(integer),
    refusal: nullable(oneOf<'ahead' | 'contradicts'>()),
    seen_size: nullable(integer),
    refused_at: nullable(integer),
  },
  {
    retention: { kept: 'one for each witness of a chain: what it has seen' },
    isTestData: true,
  },
);
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
