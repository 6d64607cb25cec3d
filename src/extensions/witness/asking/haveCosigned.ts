/** Has a checkpoint cosigned that is about to go into what a stranger is to verify. */
import { setTimeout as pause } from 'node:timers/promises';
import { cosigned } from '../../../domain/checkpoints/cosignedNote.ts';
import { makeCheckpoint } from '../../../domain/checkpoints/makeCheckpoint.ts';
import {
  type CheckpointRow,
  findCheckpoint,
  findLastCheckpoint,
} from '../../../store/statements/evidence/checkpoints.ts';
import {
  listChainWitnesses,
  listCosignatures,
  listCosignedSizes,
} from '../../../store/statements/evidence/cosignatures.ts';
import type { Script } from '../../../store/store.ts';
import { askWitnesses, isAsking } from './askWitnesses.ts';
import { isTimely } from './cosignedTime.ts';
import { vouchedSize } from './vouchedSize.ts';
import type { WitnessDeps, Witnesses } from './witnesses.ts';

/** How long a request for evidence waits for witnesses at most. */
const PATIENCE_MS = 6000;
/** How often it is looked whether another node, which is asking them, has their answers. */
const LOOK_MS = 200;
/**
 * Cosignatures that are looked through for a checkpoint with enough of them: few at first, since the newest one mostly has
 * them, and then as many as are read in some hundredths of a second.
 */
const LOOKED_THROUGH = [200, 20_000];
/** Checkpoints among them that are read, where cosignatures were stored with a time that cannot be. */
const MOST_READ = 20;

/**
 * The newest checkpoint that enough of the named witnesses have cosigned, over at least so many events. Where there is none, they
 * are asked to cosign the newest of all, or one made now; those that cannot be had soon are not waited for.
 * @param atLeast how many events it is to be over
 * @returns undefined where it cannot be had in a moment
 * @throws Fault UNAVAILABLE when the chain does not extend the checkpoint kept outside the database
 */
export async function haveCosigned(
  deps: WitnessDeps,
  tenantId: string,
  atLeast: number,
): Promise<CheckpointRow | undefined> {
  const { store, witnesses } = deps;
  const find = () => store.read((now) => findCosigned(witnesses, tenantId, atLeast, now));
  const found = await find();
  if (found !== undefined) return found;
  const last = await store.read(() => findLastCheckpoint(tenantId));
  const isThere = last !== undefined && last.size >= atLeast;
  if (!isThere && (await makeCheckpoint(deps, tenantId)) === undefined) return undefined;
  await waitFor(deps, tenantId, async () => (await find()) !== undefined);
  return find();
}

/** Waits until it is so, until no witness can be asked any more, or for as long as one may be kept waiting. */
async function waitFor(deps: WitnessDeps, tenantId: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (let left = PATIENCE_MS; left > 0 && !deps.stopping.aborted; left = end - performance.now()) {
    // Again each time, since another request may have made a newer checkpoint, which they were not asked about.
    const asking = askWitnesses(deps, tenantId).catch((error) => {
      deps.log.error('witness.unasked', { tenantId, error: String(error) });
    });
    await Promise.race([asking, pause(left, undefined, { ref: false })]);
    if (await isSo()) return;
    if (!(await deps.store.read((now) => isAsking(deps, tenantId, now)))) return;
    await pause(LOOK_MS);
  }
}

/** The newest checkpoint that enough of the named witnesses have cosigned. */
function* findCosigned(
  witnesses: Witnesses,
  tenantId: string,
  atLeast: number,
  now: number,
): Script<CheckpointRow | undefined> {
  const { named, quorum } = witnesses;
  // However long one of them has been away, the search begins where it left.
  const toSize = vouchedSize(witnesses, yield* listChainWitnesses(tenantId));
  const keys = named.map(({ verifierKey }) => verifierKey);
  for (const mostRows of toSize < atLeast ? [] : LOOKED_THROUGH) {
    const search = { witnesses: keys, quorum, fromSize: atLeast, toSize, mostRows };
    for (const size of yield* listCosignedSizes(tenantId, search, MOST_READ)) {
      const lines = yield* listCosignatures(tenantId, size, size);
      const timely = lines.filter(({ witness, line }) => keys.includes(witness) && isTimely(line, now));
      const row = timely.length < quorum ? undefined : yield* findCheckpoint(tenantId, size);
      if (row !== undefined) return (yield* cosigned(tenantId, [row]))[0];
    }
  }
  return undefined;
}
