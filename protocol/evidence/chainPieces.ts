/**
 * Verifies a whole chain piece by piece: each piece by itself, on any worker and in any order, and then one after the other
 * where they join. It needs little memory however long the chain is.
 */
import { canonical } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromHex, toHex } from '../credential/encodings.ts';
import { type EvidenceEvent, genesisHash, hashEvent } from './chain.ts';
import { type Comparison, compareRoot } from './compareCheckpoint.ts';
import { type Checkpoint, eventLeaf, openCheckpoint, originOf } from './log/checkpoint.ts';
import { type CompleteSubtree, GrowingTree, LogPart, leafHash } from './log/merkle.ts';
import type { ExportEnd } from './query.ts';
import { isHexOf, isRotation, type RawEvent, readRawEvent } from './rawEvent.ts';
import { issuersRecorded } from './rotation.ts';

const HASH_BYTES = 32;

export interface ChainFault {
  /** The number of the event at which the chain breaks; 0 where it is about all of it. */
  readonly seq: number;
  readonly reason: string;
}

/** What is true of consecutive events by themselves, and what they have to join. */
export interface CheckedPiece {
  readonly firstSeq: number;
  readonly firstPrev: string;
  readonly lastHash: string;
  /** What the tree grows by. */
  readonly subtrees: readonly CompleteSubtree[];
  /** How the issuer's key changed, where it did. */
  readonly rotations: readonly Pick<EvidenceEvent, 'eventType' | 'data'>[];
  /** The first event that does not hold; the subtrees end before it. */
  readonly fault: ChainFault | undefined;
}

/**
 * @param bytes lines of an export in NDJSON, each an event, at least one
 * @param cuts sizes of the chain at which the root will be asked for (PieceJoiner.cuts)
 * @throws SyntaxError for a line that is no JSON
 */
export function checkPiece(suite: Suite, bytes: Uint8Array, cuts: readonly number[] = []): CheckedPiece {
  return new PieceChecker(suite, bytes, cuts).check();
}

const HASHED_BEFORE = new TextEncoder().encode('evidence-v1\n');
const NEWLINE = 0x0a;

/** Checks lines one after the other: by their bytes where those are as the node writes them, else by what they say. */
class PieceChecker {
  readonly #suite: Suite;
  readonly #bytes: Uint8Array;
  readonly #cuts: ReadonlySet<number>;
  readonly #rotations: EvidenceEvent[] = [];
  /** What is hashed of a line. */
  #hashed = new Uint8Array(4096);
  #part: LogPart | undefined;
  #seq = 0;
  /** The hash of the event before, 32 bytes; undefined where it is known as text alone. */
  #hash: Uint8Array | undefined;
  #hashText = '';

  constructor(suite: Suite, bytes: Uint8Array, cuts: readonly number[]) {
    this.#suite = suite;
    this.#bytes = bytes;
    this.#cuts = new Set(cuts);
    this.#hashed.set(HASHED_BEFORE);
  }

  check(): CheckedPiece {
    const bytes = this.#bytes;
    let fault: ChainFault | undefined;
    let first: EvidenceEvent | undefined;
    for (let from = 0; from < bytes.length && fault === undefined; ) {
      const newline = bytes.indexOf(NEWLINE, from);
      const to = newline === -1 ? bytes.length : newline;
      if (first === undefined) {
        first = this.#parsed(from, to);
        this.#seq = first.seq - 1;
        this.#hashText = first.hashPrev;
      }
      if (!this.#holdsAsBytes(from, to)) fault = this.#faultOf(this.#parsed(from, to));
      from = to + 1;
    }
    if (first === undefined) throw new SyntaxError('There is no event.');
    return {
      firstSeq: first.seq,
      firstPrev: first.hashPrev,
      lastHash: this.#hash === undefined ? this.#hashText : `sha256:${toHex(this.#hash)}`,
      subtrees: this.#part?.subtrees ?? [],
      rotations: this.#rotations,
      fault,
    };
  }

  #parsed(from: number, to: number): EvidenceEvent {
    return JSON.parse(new TextDecoder().decode(this.#bytes.subarray(from, to)));
  }

  /** @returns false for what has to be parsed to know whether it holds, or in what way not */
  #holdsAsBytes(from: number, to: number): boolean {
    const bytes = this.#bytes;
    const before = this.#hash ?? fromHex(this.#hashText.slice('sha256:'.length));
    const raw = readRawEvent(bytes, from, to);
    if (raw === undefined || raw.seq !== this.#seq + 1) return false;
    if (before === undefined || before.length !== HASH_BYTES || !isHexOf(bytes, raw.hashPrev, before)) return false;
    const hash = this.#suite.sha256Bytes(this.#hashedOf(raw, from, to));
    if (!isHexOf(bytes, raw.hashCurr, hash)) return false;
    if (isRotation(bytes, from, raw)) this.#rotations.push(this.#parsed(from, to));
    this.#add(raw.seq, leafHash(this.#suite, hash));
    this.#hash = hash;
    return true;
  }

  #hashedOf({ cutFrom, cutTo }: RawEvent, from: number, to: number): Uint8Array {
    const begun = HASHED_BEFORE.length;
    const size = begun + (cutFrom - from) + (to - cutTo);
    if (size > this.#hashed.length) {
      this.#hashed = new Uint8Array(size * 2);
      this.#hashed.set(HASHED_BEFORE);
    }
    this.#hashed.set(this.#bytes.subarray(from, cutFrom), begun);
    this.#hashed.set(this.#bytes.subarray(cutTo, to), begun + cutFrom - from);
    return this.#hashed.subarray(0, size);
  }

  #faultOf(event: EvidenceEvent): ChainFault | undefined {
    const suite = this.#suite;
    const { seq, hashPrev, hashCurr, data } = event;
    const next = this.#seq + 1;
    const before = this.#hash === undefined ? this.#hashText : `sha256:${toHex(this.#hash)}`;
    if (seq !== next) return { seq: next, reason: `Event ${next} is missing.` };
    if (hashPrev !== before) return { seq, reason: `Event ${seq} does not follow the event before it.` };
    const expected = hashEvent(suite, { ...event, dataText: canonical(data) });
    if (hashCurr !== expected) return { seq, reason: `The content of event ${seq} does not match its hash.` };
    if (event.eventType === 'ISSUER_ROTATED') this.#rotations.push(event);
    this.#add(seq, eventLeaf(suite, hashCurr));
    this.#hash = undefined;
    this.#hashText = hashCurr;
    return undefined;
  }

  #add(seq: number, leaf: Uint8Array): void {
    this.#part ??= new LogPart(this.#suite, seq - 1);
    this.#part.add(leaf);
    if (this.#cuts.has(seq)) this.#part.cut();
    this.#seq = seq;
  }
}

/** A checkpoint that the reader has from before. */
export interface StoredNote {
  readonly note: string;
}

type WholeCheck =
  | {
      readonly ok: true;
      readonly size: number;
      readonly checkpoint: Checkpoint;
      /** What became of each checkpoint that was kept, in their order. */
      readonly kept: readonly Comparison[];
    }
  | { readonly ok: false; readonly fault: ChainFault };

/** Joins pieces, in the order of their events. */
export class PieceJoiner {
  readonly #suite: Suite;
  readonly #tree: GrowingTree;
  readonly #wanted: ReadonlySet<number>;
  readonly #roots = new Map<number, Uint8Array>();
  readonly #rotations: Pick<EvidenceEvent, 'eventType' | 'data'>[] = [];
  #genesis: string | undefined;
  #hash: string | undefined;

  /** @param kept notes, whose sizes are looked out for */
  constructor(suite: Suite, kept: readonly StoredNote[]) {
    this.#suite = suite;
    this.#tree = new GrowingTree(suite);
    this.#wanted = new Set(kept.map(({ note }) => Number(note.split('\n')[1])));
  }

  get size(): number {
    return this.#tree.size;
  }

  /** The sizes whose roots it needs, for the checks of pieces. */
  get cuts(): readonly number[] {
    return [...this.#wanted];
  }

  /** @returns where the chain breaks, if it does in this piece, or before it */
  add(piece: CheckedPiece): ChainFault | undefined {
    const { firstSeq, firstPrev, lastHash, subtrees, rotations, fault } = piece;
    const next = this.size + 1;
    if (firstSeq !== next) return { seq: next, reason: `Event ${next} is missing.` };
    if (this.#hash !== undefined && firstPrev !== this.#hash) {
      return { seq: firstSeq, reason: `Event ${firstSeq} does not follow the event before it.` };
    }
    this.#genesis ??= firstPrev;
    this.#hash = lastHash;
    for (const { hash, leaves } of subtrees) {
      this.#tree.add(hash, leaves);
      if (this.#wanted.has(this.size)) this.#roots.set(this.size, this.#tree.root());
    }
    this.#rotations.push(...rotations);
    return fault;
  }

  /**
   * Once all pieces have joined: that the chain is this issuer's, and that its root is signed.
   * @param end of the export @param issuerDid the DID that the reader trusts
   * @param kept the notes that the joiner was made with
   */
  finish(end: ExportEnd, issuerDid: string, kept: readonly StoredNote[]): WholeCheck {
    const suite = this.#suite;
    const wrong = (reason: string): WholeCheck => ({ ok: false, fault: { seq: 0, reason } });
    const { issuer, tenantId, checkpoint: note } = end;
    if (this.#genesis !== genesisHash(suite, issuer, tenantId)) {
      return { ok: false, fault: { seq: 1, reason: 'The first event does not begin the chain of this node.' } };
    }
    const issuers = issuersRecorded(suite, this.#rotations, issuer);
    if (!issuers.includes(issuerDid)) return wrong(`The chain is by ${issuers.at(-1)}, not by ${issuerDid}.`);
    if (note === null) return wrong('The chain comes without a checkpoint: nothing shows that the issuer ever had it.');
    // A key that the trusted one followed may be in other hands by now.
    const opened = openCheckpoint(suite, note, issuers.slice(issuers.indexOf(issuerDid)));
    if (!opened.ok) return wrong(opened.reason);
    const { checkpoint } = opened;
    const origin = originOf(tenantId);
    if (checkpoint.size !== this.size)
      return wrong(`The checkpoint is over ${checkpoint.size} events, not ${this.size}.`);
    const compared = compareRoot(checkpoint, { origin, size: this.size, root: this.#tree.root() });
    if (!compared.ok) return wrong(compared.reason);
    return { ok: true, size: this.size, checkpoint, kept: kept.map((each) => this.#compare(each, origin, issuers)) };
  }

  #compare({ note }: StoredNote, origin: string, issuers: readonly string[]): Comparison {
    const opened = openCheckpoint(this.#suite, note, issuers);
    if (!opened.ok) return { ok: false, fault: 'foreign', reason: opened.reason };
    const { checkpoint } = opened;
    return compareRoot(checkpoint, { origin, size: this.size, root: this.#roots.get(checkpoint.size) });
  }
}
