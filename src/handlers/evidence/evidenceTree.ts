/** The Merkle tree over a tenant's evidence chain, as far as a root or a proof needs it. */
import { fromBase64, toBase64 } from '../../../protocol/credential/encodings.ts';
import { eventLeaf } from '../../../protocol/evidence/checkpoint.ts';
import { type Subtree, subtreeOf } from '../../../protocol/evidence/merkle.ts';
import {
  countSubtrees,
  insertSubtree,
  listEventHashes,
  listSubtrees,
  SUBTREE_EVENTS,
} from '../../store/statements/evidence/checkpoints.ts';
import { findChainHead } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';

type Hashes = Pick<Deps, 'suite'>;

/** Subtrees hashed in one commit, so that a long backlog does not delay other writers. */
const SUBTREES_AT_ONCE = 4;

/** Keeps the hashes of subtrees that are complete. @returns whether there is more to do */
export function* growTree(deps: Hashes, tenantId: string): Script<boolean> {
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
export function* loadTree(deps: Hashes, tenantId: string, size: number, near: readonly number[]): Script<Subtree> {
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

function* loadLeaves(deps: Hashes, tenantId: string, number: number): Script<Uint8Array[]> {
  const first = number * SUBTREE_EVENTS + 1;
  const hashes = yield* listEventHashes(tenantId, first, first + SUBTREE_EVENTS - 1);
  return hashes.map((hash) => eventLeaf(deps.suite, hash));
}
