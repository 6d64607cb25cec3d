/** The Merkle tree over a tenant's evidence chain, as far as a root or a proof needs it. */
import { fromBase64, toBase64 } from '../../../protocol/credential/encodings.ts';
import { eventLeaf } from '../../../protocol/evidence/log/checkpoint.ts';
import { type Subtree, subtreeOf } from '../../../protocol/evidence/log/merkle.ts';
import {
  countSubtrees,
  insertSubtree,
  listEventHashes,
  listSubtrees,
  SUBTREE_WIDTH,
} from '../../store/statements/evidence/checkpoints.ts';
import { findChainHead } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

type Hashes = Pick<Deps, 'suite'>;

/** Hashes known so far: by level, and by number within it. Those of level 0 are the leaves. */
type HashCache = Map<number, Map<number, Uint8Array>>;

/** Subtrees hashed in one commit, so that a long backlog does not delay other writers. */
const SUBTREES_AT_ONCE = 4;

/** Keeps the hashes of subtrees that are complete. @returns whether there is more to do */
export function* growTree(deps: Hashes, tenantId: string): Script<boolean> {
  let below = (yield* findChainHead(tenantId))?.seq ?? 0;
  let left = SUBTREES_AT_ONCE;
  for (let level = 1; below >= SUBTREE_WIDTH; level++) {
    const complete = Math.floor(below / SUBTREE_WIDTH);
    const kept = yield* countSubtrees(tenantId, level);
    const until = Math.min(complete, kept + left);
    for (let number = kept; number < until; number++) {
      const known: HashCache = new Map();
      yield* loadChildren(deps, known, { tenantId, size: below * eventsIn(level - 1) }, level, number);
      const first = number * eventsIn(level);
      const hash = subtreeFrom(deps, known)(first, first + eventsIn(level));
      yield* insertSubtree(tenantId, { level, number, hash: toBase64(hash) });
    }
    if (until < complete) return true;
    left -= Math.max(0, until - kept);
    below = complete;
  }
  return false;
}

/**
 * The tree over the first `size` events.
 * @param near positions (from 0) around which single leaves are needed
 */
export function* loadTree(deps: Hashes, tenantId: string, size: number, near: readonly number[]): Script<Subtree> {
  const known: HashCache = new Map();
  for (let level = 1; eventsIn(level - 1) <= size; level++) {
    const parents = new Set([...near, size].map((position) => Math.floor(position / eventsIn(level))));
    for (const parent of parents) yield* loadChildren(deps, known, { tenantId, size }, level, parent);
  }
  return subtreeFrom(deps, known);
}

/** How many events a subtree of a level covers. */
function eventsIn(level: number): number {
  return SUBTREE_WIDTH ** level;
}

function subtreeFrom({ suite }: Hashes, known: HashCache): Subtree {
  return subtreeOf(suite, (from, to) => {
    let level = 0;
    while (eventsIn(level) < to - from) level += 1;
    return to - from === eventsIn(level) ? known.get(level)?.get(from / eventsIn(level)) : undefined;
  });
}

/** Loads what a subtree is made of, as far as it is complete; what is complete but was not kept yet is made of its own parts. */
function* loadChildren(
  deps: Hashes,
  known: HashCache,
  chain: { readonly tenantId: string; readonly size: number },
  level: number,
  number: number,
): Script<void> {
  const { tenantId, size } = chain;
  const from = number * SUBTREE_WIDTH;
  const until = Math.min(from + SUBTREE_WIDTH, Math.floor(size / eventsIn(level - 1)));
  if (until <= from) return;
  const hashes = known.get(level - 1) ?? new Map<number, Uint8Array>();
  known.set(level - 1, hashes);
  if (level === 1) {
    const leaves = yield* listEventHashes(tenantId, from + 1, until);
    for (const [index, hash] of leaves.entries()) hashes.set(from + index, eventLeaf(deps.suite, hash));
    return;
  }
  for (const row of yield* listSubtrees(tenantId, level - 1, from, until - 1)) {
    const hash = fromBase64(row.hash);
    if (hash !== undefined) hashes.set(row.number, hash);
  }
  for (let child = from; child < until; child++) {
    if (!hashes.has(child)) yield* loadChildren(deps, known, chain, level - 1, child);
  }
}
