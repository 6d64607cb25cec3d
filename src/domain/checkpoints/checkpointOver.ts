/** The checkpoint that goes with events handed out: the holder of both can show that the issuer had this chain. */
import { originOf, signCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { rootOf } from '../../../protocol/evidence/log/merkle.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { findCheckpoint } from '../../store/statements/evidence/checkpoints.ts';
import { findChainHead } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { cosigned } from './cosignedNote.ts';
import { growTree, loadTree } from './evidenceTree.ts';
import { makeCheckpoint, watchCheckpoint } from './makeCheckpoint.ts';

/**
 * The signed note over the first `size` events: a kept one, with the cosignatures that it has, or one made now, which is
 * kept where it is over the whole chain.
 * @returns null for an empty chain, for one that is shorter by now, and where the chain does not extend what the node
 * signed before
 */
export async function checkpointOver(
  deps: Pick<Deps, 'evidence' | 'issuer' | 'keys' | 'log' | 'store' | 'suite'>,
  tenantId: string,
  size: number,
): Promise<string | null> {
  if (size === 0) return null;
  const { kept, length } = await deps.store.read(function* () {
    const row = yield* findCheckpoint(tenantId, size);
    const [kept] = row === undefined ? [] : yield* cosigned(tenantId, [row]);
    return { kept, length: (yield* findChainHead(tenantId))?.seq ?? 0 };
  });
  if (kept !== undefined) return kept.note;
  if (length === size) {
    const made = await makeCheckpoint(deps, tenantId).catch(unlessRefused);
    if (made === null || made?.size === size) return made?.note ?? null;
  }
  if ((await watchCheckpoint(deps, tenantId, true)) !== undefined) return null;
  while (await deps.store.write(tenantId, () => growTree(deps, tenantId))) {
    // Each round hashes a few subtrees more.
  }
  return deps.store.readApart(() => signOver(deps, tenantId, size));
}

/** Gives null where the node signs nothing, since the chain does not extend what it signed before. */
export function unlessRefused(error: unknown): null {
  if (error instanceof Fault && error.code === 'UNAVAILABLE') return null;
  throw error;
}

/** Signs the root over the first events of a chain. */
function* signOver(deps: Pick<Deps, 'issuer' | 'suite'>, tenantId: string, size: number): Script<string | null> {
  // Test data may have been cleared since the events were read.
  if (((yield* findChainHead(tenantId))?.seq ?? 0) < size) return null;
  const root = rootOf(deps.suite, size, yield* loadTree(deps, tenantId, size, []));
  return signCheckpoint(deps.suite, deps.issuer, { origin: originOf(tenantId), size, root });
}
