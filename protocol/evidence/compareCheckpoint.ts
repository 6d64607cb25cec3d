/** Compares a chain with an older checkpoint: it has only grown, or was truncated or rewritten. */
import type { Suite } from '../credential/ed25519.ts';
import type { EvidenceEvent } from './chain.ts';
import { type Checkpoint, eventLeaf } from './log/checkpoint.ts';
import { GrowingTree, verifyConsistency } from './log/merkle.ts';

export type Comparison =
  | { readonly ok: true }
  | { readonly ok: false; readonly fault: 'foreign' | 'truncated' | 'forked' | 'unproven'; readonly reason: string };

/**
 * Compares a checkpoint that a reader kept with the one that a bundle comes with. Either may be the older: the bundle's says
 * nothing of how long the chain is today, so that an older one is no sign of a chain that was cut.
 * @param proof that the newer of the two continues the older, when there is one
 */
export function compareCheckpoints(
  suite: Suite,
  kept: Checkpoint,
  given: Checkpoint,
  proof: readonly Uint8Array[] | undefined,
): Comparison {
  const foreign = originFault(kept, given.origin);
  if (foreign !== undefined) return foreign;
  const [older, newer] = given.size < kept.size ? [given, kept] : [kept, given];
  if (newer.size === older.size) return verifyConsistency(suite, older, newer, []) ? { ok: true } : forked(older);
  if (proof === undefined) return unproven(kept, given);
  if (verifyConsistency(suite, older, newer, proof)) return { ok: true };
  if (older === kept) return forked(kept);
  const reason = `The chain was rewritten: the kept checkpoint over ${kept.size} events does not continue the one over ${given.size}.`;
  return { ok: false, fault: 'forked', reason };
}

/**
 * Compares a whole chain with an older checkpoint.
 * @param events from the first on, with verified hashes
 */
export function compareChain(
  suite: Suite,
  older: Checkpoint,
  origin: string,
  events: readonly Pick<EvidenceEvent, 'hashCurr'>[],
): Comparison {
  const tree = new GrowingTree(suite);
  for (const { hashCurr } of events.slice(0, older.size)) tree.add(eventLeaf(suite, hashCurr));
  return compareRoot(older, { origin, size: events.length, root: tree.root() });
}

/**
 * Compares a chain with an older checkpoint by its root.
 * @param chain its length, and the root that it had when it was as long as the checkpoint says
 */
export function compareRoot(
  older: Checkpoint,
  chain: { readonly origin: string; readonly size: number; readonly root: Uint8Array | undefined },
): Comparison {
  const foreign = originFault(older, chain.origin);
  if (foreign !== undefined) return foreign;
  if (chain.size < older.size) return truncated(older, chain.size);
  const isSame = chain.root?.every((byte, index) => byte === older.root[index]) === true;
  return isSame ? { ok: true } : forked(older);
}

function originFault(older: Checkpoint, origin: string): Comparison | undefined {
  if (older.origin === origin) return undefined;
  return { ok: false, fault: 'foreign', reason: `The checkpoint is over ${older.origin}, not over ${origin}.` };
}

function truncated(older: Checkpoint, size: number): Comparison {
  const reason = `The chain was cut short: it had ${older.size} events at the checkpoint and has ${size} now.`;
  return { ok: false, fault: 'truncated', reason };
}

function unproven(kept: Checkpoint, given: Checkpoint): Comparison {
  const [from, to] = [Math.min(kept.size, given.size), Math.max(kept.size, given.size)];
  const order =
    given.size < kept.size
      ? `The bundle's checkpoint, over ${given.size} events, is older than the one that was kept, over ${kept.size}, and does not say how the chain went on.`
      : `The checkpoint over ${given.size} events comes without a proof that it continues the one over ${kept.size}.`;
  const reason = `${order} What compares them is at /ap2/evidence/checkpoints/${to}/consistency?from=${from}`;
  return { ok: false, fault: 'unproven', reason };
}

function forked(older: Checkpoint): Comparison {
  const reason = `The chain was rewritten: its first ${older.size} events are not those of the checkpoint.`;
  return { ok: false, fault: 'forked', reason };
}
