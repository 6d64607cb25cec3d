/**
 * Merkle trees of RFC 9162 §2.1 (the trees of RFC 6962): the root of a log, inclusion proofs for its entries, and
 * consistency proofs between a log and a longer one.
 */
import type { Suite } from '../../credential/ed25519.ts';

type Hash = Uint8Array;

/** Returns the hash over the entries `from` (inclusive) to `to` (exclusive), a range that is a node of the tree. */
export type Subtree = (from: number, to: number) => Hash;

/** The hash of an empty tree is that of no bytes. */
export function emptyRoot(suite: Suite): Hash {
  return suite.sha256Bytes(new Uint8Array());
}

export function leafHash(suite: Suite, entry: Uint8Array): Hash {
  return prefixed(suite, 0, entry);
}

function nodeHash(suite: Suite, left: Hash, right: Hash): Hash {
  return prefixed(suite, 1, left, right);
}

/**
 * Computes subtrees from known hashes: stored hashes of larger ranges where there are any, leaves elsewhere. Each is computed
 * once, since the proofs for neighbours are made of the same ones.
 * @param known the hash of exactly this range, if it is known
 */
export function subtreeOf(suite: Suite, known: (from: number, to: number) => Hash | undefined): Subtree {
  const computed = new Map<string, Hash>();
  return function subtree(from, to): Hash {
    const range = `${from} ${to}`;
    const hash = computed.get(range) ?? known(from, to);
    if (hash !== undefined) return hash;
    if (to - from <= 1) throw new RangeError(`The hash of entry ${from} is not known.`);
    const middle = from + largestPowerBelow(to - from);
    const made = nodeHash(suite, subtree(from, middle), subtree(middle, to));
    computed.set(range, made);
    return made;
  };
}

/** @param size how many entries the log has */
export function rootOf(suite: Suite, size: number, subtree: Subtree): Hash {
  return size === 0 ? emptyRoot(suite) : subtree(0, size);
}

/** Leaves whose number is a power of two, and which begin at a multiple of it. */
export interface CompleteSubtree {
  readonly leaves: number;
  readonly hash: Hash;
}

/** Leaves that follow on each other somewhere in a log, as few complete subtrees: a tree grows by these as by the leaves. */
export class LogPart {
  readonly #subtrees: (CompleteSubtree & { readonly from: number })[] = [];
  readonly #suite: Suite;
  #next: number;
  #cut: number;

  /** @param from how many leaves are before it */
  constructor(suite: Suite, from: number) {
    this.#suite = suite;
    this.#next = from;
    this.#cut = from;
  }

  get subtrees(): readonly CompleteSubtree[] {
    return this.#subtrees.map(({ leaves, hash }) => ({ leaves, hash }));
  }

  add(leaf: Hash): void {
    let added = { from: this.#next, leaves: 1, hash: leaf };
    for (let last = this.#subtrees.at(-1); last !== undefined; last = this.#subtrees.at(-1)) {
      const isLeft = last.leaves === added.leaves && last.from % (2 * last.leaves) === 0 && last.from >= this.#cut;
      if (!isLeft) break;
      this.#subtrees.pop();
      added = { from: last.from, leaves: 2 * last.leaves, hash: nodeHash(this.#suite, last.hash, added.hash) };
    }
    this.#subtrees.push(added);
    this.#next += 1;
  }

  /** Keeps what comes next apart, so that a tree has this size in between, and its root. */
  cut(): void {
    this.#cut = this.#next;
  }
}

/** A tree that grows leaf by leaf, and knows its root at each size in little memory. */
export class GrowingTree {
  /** Complete subtrees, the largest first. */
  readonly #complete: CompleteSubtree[] = [];
  readonly #suite: Suite;
  #size = 0;

  constructor(suite: Suite) {
    this.#suite = suite;
  }

  get size(): number {
    return this.#size;
  }

  /** @param leaves of which this is the hash: a power of two, that the size so far is a multiple of */
  add(hash: Hash, leaves = 1): void {
    let added: CompleteSubtree = { leaves, hash };
    for (let last = this.#complete.at(-1); last?.leaves === added.leaves; last = this.#complete.at(-1)) {
      this.#complete.pop();
      added = { leaves: added.leaves * 2, hash: nodeHash(this.#suite, last.hash, added.hash) };
    }
    this.#complete.push(added);
    this.#size += leaves;
  }

  root(): Hash {
    const last = this.#complete.at(-1)?.hash;
    if (last === undefined) return emptyRoot(this.#suite);
    const before = this.#complete.slice(0, -1);
    return before.reduceRight((hash, each) => nodeHash(this.#suite, each.hash, hash), last);
  }
}

/** The siblings on the path from an entry to the root, lowest first (RFC 9162 §2.1.3.1). */
export function inclusionProof(index: number, size: number, subtree: Subtree): Hash[] {
  return path(0, size);

  function path(from: number, to: number): Hash[] {
    if (to - from <= 1) return [];
    const middle = from + largestPowerBelow(to - from);
    return index < middle ? [...path(from, middle), subtree(middle, to)] : [...path(middle, to), subtree(from, middle)];
  }
}

/** The proof that the log of `size` entries begins with the log of `earlier` entries (RFC 9162 §2.1.4.1). */
export function consistencyProof(earlier: number, size: number, subtree: Subtree): Hash[] {
  return earlier === 0 || earlier === size ? [] : part(0, size, true);

  function part(from: number, to: number, whole: boolean): Hash[] {
    if (to === earlier) return whole ? [] : [subtree(from, to)];
    const middle = from + largestPowerBelow(to - from);
    return earlier <= middle
      ? [...part(from, middle, whole), subtree(middle, to)]
      : [...part(middle, to, false), subtree(from, middle)];
  }
}

/** Whether the path leads from the leaf to the root (RFC 9162 §2.1.3.2). */
export function verifyInclusion(
  suite: Suite,
  claim: { readonly index: number; readonly size: number; readonly leaf: Hash; readonly root: Hash },
  proof: readonly Hash[],
): boolean {
  if (claim.index >= claim.size) return false;
  let [position, last] = [claim.index, claim.size - 1];
  let hash = claim.leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(suite, sibling, hash);
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else {
      hash = nodeHash(suite, hash, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && equal(hash, claim.root);
}

/** Whether the later tree begins with the earlier one (RFC 9162 §2.1.4.2). */
export function verifyConsistency(
  suite: Suite,
  earlier: { readonly size: number; readonly root: Hash },
  later: { readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): boolean {
  if (earlier.size > later.size) return false;
  if (earlier.size === later.size) return proof.length === 0 && equal(earlier.root, later.root);
  if (earlier.size === 0) return proof.length === 0;
  const rest = [...proof];
  let [position, last] = [earlier.size - 1, later.size - 1];
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  // When the earlier log is a complete left subtree, its root is not part of the proof.
  const start = position === 0 ? earlier.root : rest.shift();
  if (start === undefined) return false;
  let [before, after] = [start, start];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      before = nodeHash(suite, sibling, before);
      after = nodeHash(suite, sibling, after);
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else {
      after = nodeHash(suite, after, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && equal(before, earlier.root) && equal(after, later.root);
}

/** @param count at least 2 */
function largestPowerBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function prefixed(suite: Suite, prefix: 0 | 1, ...parts: readonly Uint8Array[]): Hash {
  const input = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  input[0] = prefix;
  let offset = 1;
  for (const part of parts) {
    input.set(part, offset);
    offset += part.length;
  }
  return suite.sha256Bytes(input);
}

function equal(one: Hash, other: Hash): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
