/**
 * Verifies a whole chain piece by piece: each piece by itself, wherever and in whatever order there is somebody to do it, and
 * then one after the other where they join. It needs little memory however long the chain is.
 */
import { canonical } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';
import { type EvidenceEvent, genesisHash, hashEvent } from './chain.ts';
import { type Checkpoint, eventLeaf, openCheckpoint, originOf } from './checkpoint.ts';
import { type Comparison, compareRoot } from './compareCheckpoint.ts';
import { GrowingTree } from './merkle.ts';
import type { ExportEnd } from './query.ts';
import { issuersRecorded } from './rotation.ts';

const LEAF_BYTES = 32;

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
  /** The leaves of the tree, 32 bytes for each event. */
  readonly leaves: Uint8Array<ArrayBuffer>;
  /** How the issuer's key changed, where it did. */
  readonly rotations: readonly Pick<EvidenceEvent, 'eventType' | 'data'>[];
  /** The first event that does not hold; the leaves end before it. */
  readonly fault: ChainFault | undefined;
}

/**
 * @param lines of an export in NDJSON, each an event, at least one
 * @throws SyntaxError for a line that is no JSON
 */
export function checkPiece(suite: Suite, lines: readonly string[]): CheckedPiece {
  const leaves = new Uint8Array(lines.length * LEAF_BYTES);
  const rotations: EvidenceEvent[] = [];
  const first = JSON.parse(lines[0] ?? 'null') as EvidenceEvent;
  let seq = first.seq - 1;
  let hash = first.hashPrev;
  let fault: ChainFault | undefined;
  for (const line of lines) {
    const event = JSON.parse(line) as EvidenceEvent;
    fault = faultOf(suite, event, { seq, hash });
    if (fault !== undefined) break;
    leaves.set(eventLeaf(suite, event.hashCurr), (event.seq - first.seq) * LEAF_BYTES);
    if (event.eventType === 'ISSUER_ROTATED') rotations.push(event);
    ({ seq, hashCurr: hash } = event);
  }
  const held = leaves.subarray(0, (seq - first.seq + 1) * LEAF_BYTES);
  return { firstSeq: first.seq, firstPrev: first.hashPrev, lastHash: hash, leaves: held, rotations, fault };
}

function faultOf(
  suite: Suite,
  event: EvidenceEvent,
  before: { readonly seq: number; readonly hash: string },
): ChainFault | undefined {
  const { seq, hashPrev, hashCurr, data } = event;
  if (seq !== before.seq + 1) return { seq: before.seq + 1, reason: `Event ${before.seq + 1} is missing.` };
  if (hashPrev !== before.hash) return { seq, reason: `Event ${seq} does not follow the event before it.` };
  const expected = hashEvent(suite, { ...event, dataText: canonical(data) });
  return hashCurr === expected ? undefined : { seq, reason: `The content of event ${seq} does not match its hash.` };
}

/** A checkpoint that the reader has from before. */
export interface KeptNote {
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
  constructor(suite: Suite, kept: readonly KeptNote[]) {
    this.#suite = suite;
    this.#tree = new GrowingTree(suite);
    this.#wanted = new Set(kept.map(({ note }) => Number(note.split('\n')[1])));
  }

  get size(): number {
    return this.#tree.size;
  }

  /** @returns where the chain breaks, if it does in this piece, or before it */
  add(piece: CheckedPiece): ChainFault | undefined {
    const { firstSeq, firstPrev, lastHash, leaves, rotations, fault } = piece;
    const next = this.size + 1;
    if (firstSeq !== next) return { seq: next, reason: `Event ${next} is missing.` };
    if (this.#hash !== undefined && firstPrev !== this.#hash) {
      return { seq: firstSeq, reason: `Event ${firstSeq} does not follow the event before it.` };
    }
    this.#genesis ??= firstPrev;
    this.#hash = lastHash;
    for (let at = 0; at < leaves.length; at += LEAF_BYTES) {
      this.#tree.add(leaves.slice(at, at + LEAF_BYTES));
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
  finish(end: ExportEnd, issuerDid: string, kept: readonly KeptNote[]): WholeCheck {
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

  #compare({ note }: KeptNote, origin: string, issuers: readonly string[]): Comparison {
    const opened = openCheckpoint(this.#suite, note, issuers);
    if (!opened.ok) return { ok: false, fault: 'foreign', reason: opened.reason };
    const { checkpoint } = opened;
    return compareRoot(checkpoint, { origin, size: this.size, root: this.#roots.get(checkpoint.size) });
  }
}
