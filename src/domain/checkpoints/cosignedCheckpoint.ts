/** The checkpoint that goes into what a stranger is to verify: a cosigned one, where it can be had in a moment. */
import { type CheckpointRow, findLastCheckpoint } from '../../store/statements/evidence/checkpoints.ts';
import type { CosignerDeps } from '../../usecase/watch.ts';
import { cosigned } from './cosignedNote.ts';
import { makeCheckpoint } from './makeCheckpoint.ts';

/**
 * A checkpoint over at least so many events, its note with the cosignatures that there are: what the node's cosigners have;
 * otherwise the newest of all, or one made now.
 * @param atLeast how many events it is to be over
 * @returns undefined for an empty chain
 * @throws Fault UNAVAILABLE when the chain does not extend the checkpoint kept outside the database
 */
export async function cosignedCheckpoint(
  deps: CosignerDeps,
  tenantId: string,
  atLeast: number,
): Promise<CheckpointRow | undefined> {
  for (const cosign of deps.evidence.cosigners) {
    const row = await cosign(deps, tenantId, atLeast);
    if (row !== undefined) return row;
  }
  const last = await deps.store.read(() => findLastCheckpoint(tenantId));
  const row = last !== undefined && last.size >= atLeast ? last : await makeCheckpoint(deps, tenantId);
  if (row === undefined) return undefined;
  // Those of former witnesses are in it as well: what they have cosigned stays true.
  return (await deps.store.read(() => cosigned(tenantId, [row])))[0];
}
