/**
 * I3 by proofs: what a node proves of an old checkpoint or an old event holds against the root of a checkpoint that was compared with
 * the chain, and the event itself is the one whose hash is proven. Computed from RFC 9162, sections 2.1.3.2 and 2.1.4.2.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Happening, Violation } from '../history.ts';
import { type Asked, type Calls, doneBody } from './calls.ts';
import { type Law, violated } from './law.ts';
import { BundleShown, ConsistencyShown, InclusionShown } from './shapes.ts';
import { membersOf } from './trail.ts';

export class ProofLaw implements Law {
  readonly #calls: Calls;
  readonly #rootAt: (size: number) => string | undefined;
  /** The proven hash of an event. */
  readonly #hashes = new Map<number, string>();

  /** @param rootAt the root of the chain at a length at which a checkpoint was kept, in base64 */
  constructor(calls: Calls, rootAt: (size: number) => string | undefined) {
    this.#calls = calls;
    this.#rootAt = rootAt;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    const fault = asked && this.#faultOf(asked, happening.status);
    return fault === undefined || asked === undefined ? [] : [violated('I3', fault, asked.place, place)];
  }

  #faultOf(asked: Asked, status: number): string | undefined {
    if (asked.call === 'proveConsistency') return this.#consistency(asked, status);
    if (asked.call === 'proveInclusion') return this.#inclusion(asked, status);
    return asked.call === 'evidenceBundle' ? this.#bundle(asked, status) : undefined;
  }

  #consistency(asked: Asked, status: number): string | undefined {
    const { size, from } = membersOf(asked.input);
    const what = `That the chain at ${size} events begins with the chain at ${from}`;
    const shown = ConsistencyShown.safeParse(doneBody(asked)).data;
    if (shown === undefined) return `${what} is not proven: ${status}.`;
    const roots = [this.#rootAt(Number(from)), this.#rootAt(Number(size))].map((root) =>
      Buffer.from(root ?? '', 'base64'),
    );
    const holds = isConsistent(Number(from), Number(size), roots as [Buffer, Buffer], hashesIn(shown.proof));
    return holds ? undefined : `${what} is proven by a proof that does not hold.`;
  }

  #inclusion(asked: Asked, status: number): string | undefined {
    const { size, seq } = membersOf(asked.input);
    const what = `That event ${seq} is in the chain at ${size} events`;
    const shown = InclusionShown.safeParse(doneBody(asked)).data;
    if (shown === undefined) return `${what} is not proven: ${status}.`;
    this.#hashes.set(Number(seq), shown.hashCurr);
    const root = Buffer.from(this.#rootAt(Number(size)) ?? '', 'base64');
    const holds = isIncluded(shown.hashCurr, Number(seq) - 1, Number(size), root, hashesIn(shown.proof));
    return holds ? undefined : `${what} is proven by a proof that does not hold.`;
  }

  #bundle(asked: Asked, status: number): string | undefined {
    const { seq, transactionId } = membersOf(asked.input);
    const hash = this.#hashes.get(Number(seq));
    const event = BundleShown.safeParse(doneBody(asked)).data?.events.find((each) => each.seq === seq);
    if (event === undefined) return `Event ${seq} is not in the bundle of ${transactionId}: ${status}.`;
    const content = `evidence-v1\n${canonicalize({ ...event, hashCurr: undefined })}`;
    const computed = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    return computed === event.hashCurr && computed === hash
      ? undefined
      : `Event ${seq} is another one than the chain has.`;
  }
}

function hashesIn(proof: readonly string[]): Buffer[] {
  return proof.map((text) => Buffer.from(text, 'base64'));
}

function isIncluded(hashCurr: string, index: number, size: number, root: Buffer, proof: readonly Buffer[]): boolean {
  if (index >= size) return false;
  let [node, last] = [index, size - 1];
  let hash = hashOf(Buffer.from([0]), Buffer.from(hashCurr.slice('sha256:'.length), 'hex'));
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = hashOf(Buffer.from([1]), sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      hash = hashOf(Buffer.from([1]), hash, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash.equals(root);
}

function isConsistent(from: number, size: number, [old, root]: [Buffer, Buffer], given: readonly Buffer[]): boolean {
  if (from === size) return given.length === 0 && old.equals(root);
  // An old tree that is complete is the first node of the path itself.
  const path = Number.isInteger(Math.log2(from)) ? [old, ...given] : [...given];
  const first = path.shift();
  if (first === undefined) return false;
  let [node, last] = [from - 1, size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [oldHash, newHash] = [first, first];
  for (const sibling of path) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      oldHash = hashOf(Buffer.from([1]), sibling, oldHash);
      newHash = hashOf(Buffer.from([1]), sibling, newHash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      newHash = hashOf(Buffer.from([1]), newHash, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && oldHash.equals(old) && newHash.equals(root);
}

function hashOf(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
