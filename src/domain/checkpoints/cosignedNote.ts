/** Checkpoints as they are handed out: the node's own signature first, then the cosignatures of witnesses. */
import { statedTime, withCosignatures } from '../../../protocol/evidence/log/cosignature.ts';
import type { CheckpointRow } from '../../store/statements/evidence/checkpoints.ts';
import { listCosignatures } from '../../store/statements/evidence/cosignatures.ts';
import type { Script } from '../../store/store.ts';

/** @returns the checkpoints with the cosignatures that there are, in the same order */
export function* cosigned(tenantId: string, rows: readonly CheckpointRow[]): Script<CheckpointRow[]> {
  if (rows.length === 0) return [];
  const sizes = rows.map(({ size }) => size);
  const lines = new Map<number, string[]>();
  for (const { size, line } of yield* listCosignatures(tenantId, Math.min(...sizes), Math.max(...sizes))) {
    // One without a time that can be would void the note for who asks for that witness.
    if (statedTime(line) === undefined) continue;
    lines.set(size, [...(lines.get(size) ?? []), line]);
  }
  return rows.map((row) => ({ ...row, note: withCosignatures(row.note, lines.get(row.size) ?? []) }));
}
