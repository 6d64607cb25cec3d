/** The checkpoint that goes into what a stranger is to verify: a cosigned one, where witnesses can be had in a moment. */
import { setTimeout as pause } from 'node:timers/promises';
import { type CheckpointRow, findCheckpoint, findLastCheckpoint } from '../../store/statements/evidence/checkpoints.ts';
import {
  listChainWitnesses,
  listCosignatures,
  listCosignedSizes,
} from '../../store/statements/evidence/cosignatures.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { Witnesses } from '../../usecase/services.ts';
import { cosigned } from '../checkpoints/cosignedNote.ts';
import { makeCheckpoint } from '../checkpoints/makeCheckpoint.ts';
import { askWitnesses, isAsking } from './askWitnesses.ts';
import { isTimely } from './cosignedTime.ts';
import { vouchedSize } from './vouchedSize.ts';

/** What the functions of this file use. */
type CosignedCheckpointDeps = Pick<
  Deps,
  'clock' | 'evidence' | 'issuer' | 'keys' | 'log' | 'settings' | 'stopping' | 'store' | 'suite'
>;

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
 * A checkpoint over at least so many events, its note with the cosignatures that there are: the newest that enough of the
 * named witnesses have cosigned; otherwise the newest of all or one made now, which they are asked to cosign. Those that cannot
 * be had soon are not waited for.
 * @param atLeast how many events it is to be over
 * @returns undefined for an empty chain
 * @throws Fault UNAVAILABLE when the chain does not extend the checkpoint kept outside the database
 */
export async function cosignedCheckpoint(
  deps: CosignedCheckpointDeps,
  tenantId: string,
  atLeast: number,
): Promise<CheckpointRow | undefined> {
  const {
    store,
    evidence: { witnesses },
  } = deps;
  const find = () => store.read((now) => findCosigned(witnesses, tenantId, atLeast, now));
  const found = await find();
  if (found !== undefined) return found;
  const last = await store.read(() => findLastCheckpoint(tenantId));
  const row = last !== undefined && last.size >= atLeast ? last : await makeCheckpoint(deps, tenantId);
  if (row === undefined) return undefined;
  if (witnesses.named.length > 0) {
    await waitFor(deps, tenantId, async () => (await find()) !== undefined);
    const late = await find();
    if (late !== undefined) return late;
  }
  // Those of former witnesses are in it as well: what they have cosigned stays true.
  return (await store.read(() => cosigned(tenantId, [row])))[0];
}

/** Waits until it is so, until no witness can be asked any more, or for as long as one may be kept waiting. */
async function waitFor(deps: CosignedCheckpointDeps, tenantId: string, isSo: () => Promise<boolean>): Promise<void> {
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
  if (named.length === 0) return undefined;
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
