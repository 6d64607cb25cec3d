/** The Merkle tree over a tenant's evidence chain, as far as a root or a proof needs it. */
import { fromBase64, toBase64 } from '../../../protocol/credential/encodings.ts';
import { eventLeaf, originOf, signCheckpoint } from '../../../protocol/evidence/checkpoint.ts';
import { rootOf, type Subtree, subtreeOf } from '../../../protocol/evidence/merkle.ts';
import {
  type CheckpointRow,
  countSubtrees,
  findCheckpoint,
  insertCheckpoint,
  insertSubtree,
  listEventHashes,
  listSubtrees,
  SUBTREE_EVENTS,
} from '../../store/statements/evidence/checkpoints.ts';
import { findChainHead } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';

/** Subtrees hashed in one commit, so that a long backlog does not delay other writers. */
const SUBTREES_AT_ONCE = 4;

/**
 * Signs the chain as it stands.
 * @returns the checkpoint over all events, a new one where there was none; undefined for an empty chain
 */
export async function makeCheckpoint(deps: Deps, tenantId: string): Promise<CheckpointRow | undefined> {
  while (await deps.store.write(tenantId, () => growTree(deps, tenantId))) {
    // Each round hashes a few subtrees more.
  }
  return deps.store.write(tenantId, function* (now) {
    const size = (yield* findChainHead(tenantId))?.seq ?? 0;
    if (size === 0) return undefined;
    const existing = yield* findCheckpoint(tenantId, size);
    if (existing !== undefined) return existing;
    const note = signOver(deps, tenantId, size, yield* loadTree(deps, tenantId, size, []));
    const checkpoint = { size, note, created_at: now };
    yield* insertCheckpoint(tenantId, checkpoint);
    return checkpoint;
  });
}

/**
 * The signed note over the first `size` events: a kept one, or one made now, which is kept where it is over the whole
 * chain. @returns null for an empty chain, and for one that is shorter by now
 */
export async function checkpointOver(deps: Deps, tenantId: string, size: number): Promise<string | null> {
  if (size === 0) return null;
  const { kept, length } = await deps.store.read(function* () {
    return { kept: yield* findCheckpoint(tenantId, size), length: (yield* findChainHead(tenantId))?.seq ?? 0 };
  });
  if (kept !== undefined) return kept.note;
  const made = length === size ? await makeCheckpoint(deps, tenantId) : undefined;
  if (made?.size === size) return made.note;
  while (await deps.store.write(tenantId, () => growTree(deps, tenantId))) {
    // As in makeCheckpoint.
  }
  return deps.store.readApart(function* () {
    // Test data may have been cleared since the events were read.
    if (((yield* findChainHead(tenantId))?.seq ?? 0) < size) return null;
    return signOver(deps, tenantId, size, yield* loadTree(deps, tenantId, size, []));
  });
}

/** Signs the root over the first events of a chain. */
function signOver(deps: Deps, tenantId: string, size: number, tree: Subtree): string {
  const root = rootOf(deps.suite, size, tree);
  return signCheckpoint(deps.suite, deps.issuer, { origin: originOf(tenantId), size, root });
}

/** @returns whether there is more to do */
function* growTree(deps: Deps, tenantId: string): Script<boolean> {
  const complete = Math.floor(((yield* findChainHead(tenantId))?.seq ?? 0) / SUBTREE_EVENTS);
  const kept = yield* countSubtrees(tenantId);
  const until = Math.min(complete, kept + SUBTREES_AT_ONCE);
  for (let number = kept; number < until; number++) {
    const leaves = yield* loadLeaves(deps, tenantId, number);
    const hash = subtreeOf(deps.suite, (from, to) => (to - from === 1 ? leaves[from] : undefined))(0, SUBTREE_EVENTS);
    yield* insertSubtree(tenantId, number, toBase64(hash));
  }
  return until < complete;
}

/**
 * The tree over the first `size` events.
 * @param near positions (from 0) around which single leaves are needed
 */
export function* loadTree(deps: Deps, tenantId: string, size: number, near: readonly number[]): Script<Subtree> {
  const whole = Math.floor(size / SUBTREE_EVENTS);
  const kept = (yield* listSubtrees(tenantId, whole)).map((hash) => fromBase64(hash));
  const leaves = new Map<number, readonly Uint8Array[]>();
  const wanted = new Set([...near.map((position) => Math.floor(position / SUBTREE_EVENTS)), whole]);
  // A subtree that is complete but was not kept yet is made of its leaves.
  for (let number = kept.length; number < whole; number++) wanted.add(number);
  for (const number of wanted) leaves.set(number, yield* loadLeaves(deps, tenantId, number));
  return subtreeOf(deps.suite, (from, to) => {
    const number = Math.floor(from / SUBTREE_EVENTS);
    if (to - from === SUBTREE_EVENTS && from % SUBTREE_EVENTS === 0) return kept[number];
    return to - from === 1 ? leaves.get(number)?.[from % SUBTREE_EVENTS] : undefined;
  });
}

function* loadLeaves(deps: Deps, tenantId: string, number: number): Script<Uint8Array[]> {
  const first = number * SUBTREE_EVENTS + 1;
  const hashes = yield* listEventHashes(tenantId, first, first + SUBTREE_EVENTS - 1);
  return hashes.map((hash) => eventLeaf(deps.suite, hash));
}
