/**
 * I3: the chain of evidence is contiguous, only grows, and every checkpoint that was kept is consistent with it, and so with
 * every older one. Hashes, Merkle roots and signatures are computed here from the format's description (docs/explanation/evidence.md), with
 * node:crypto and the reference library for canonical JSON: nothing of the node's own code takes part.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import bs58 from 'bs58';
import canonicalize from 'canonicalize';
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, violated } from './law.ts';
import { Event } from './shapes.ts';

interface Kept {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly signer: string;
  readonly place: number;
}

export class ChainLaw implements Law {
  /** By text, since the same one is kept by many. */
  readonly #kept = new Map<string, Kept>();
  readonly #bySize = new Map<number, Kept>();
  /** The end of the chain as it was read last. */
  #head: { readonly seq: number; readonly hash: string; readonly place: number } | undefined;
  /** The root of the chain as far as it was read in parts. */
  #roots = new Roots();
  #length = 0;

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'checkpoint') return this.#keep(happening.note, place);
    if (happening.kind !== 'quiet') return [];
    const { checkpoints } = happening.books;
    return [...checkpoints.flatMap((note) => this.#keep(note, place)), ...this.#read(happening.books, place)];
  }

  /** The root at a length at which a checkpoint was kept, in base64. */
  rootAt(size: number): string | undefined {
    return this.#bySize.get(size)?.root;
  }

  #keep(note: string, place: number): readonly Violation[] {
    if (this.#kept.has(note)) return [];
    const opened = openNote(note);
    if (typeof opened === 'string') return [violated('I3', `A checkpoint does not hold: ${opened}.`, place)];
    const kept = { ...opened, place };
    this.#kept.set(note, kept);
    const other = this.#bySize.get(kept.size);
    this.#bySize.set(kept.size, other ?? kept);
    if (other === undefined || other.root === kept.root) return [];
    const sentence = `Two checkpoints over ${kept.size} events have different roots, so there are two histories.`;
    return [violated('I3', sentence, other.place, place)];
  }

  #read(books: Books, place: number): readonly Violation[] {
    const found: Violation[] = [];
    const isPart = books.sinceSeq !== undefined;
    if (isPart && books.sinceSeq !== this.#length + 1) {
      return [violated('I3', `The chain goes on with event ${books.sinceSeq} after event ${this.#length}.`, place)];
    }
    const roots = isPart ? this.#roots : new Roots();
    let hashPrev = isPart ? this.#head?.hash : undefined;
    let seq = isPart ? this.#length : 0;
    for (const given of books.events) {
      const parsed = Event.safeParse(given);
      if (!parsed.success) return [...found, violated('I3', `Event ${seq + 1} of the chain has no known form.`, place)];
      const fault = linkFault(given as object, parsed.data, seq + 1, hashPrev);
      if (fault !== undefined) found.push(violated('I3', fault, place));
      ({ seq, hashCurr: hashPrev } = parsed.data);
      roots.add(hashPrev);
      const kept = this.#bySize.get(seq);
      if (kept !== undefined && kept.root !== roots.root()) {
        found.push(
          violated('I3', `The checkpoint over ${seq} events has another root than the chain.`, kept.place, place),
        );
      }
      if (this.#head?.seq === seq && this.#head.hash !== hashPrev) {
        found.push(violated('I3', `Event ${seq} is another one than was read before.`, this.#head.place, place));
      }
    }
    found.push(...this.#tooShort(seq, place));
    if (!isPart || books.sinceSeq === 1) found.push(...this.#genesis(books, place));
    if (hashPrev !== undefined) this.#head = { seq, hash: hashPrev, place };
    this.#roots = roots;
    this.#length = seq;
    return found;
  }

  #tooShort(length: number, place: number): readonly Violation[] {
    const longest = [...this.#kept.values()].reduce((most, { size }) => Math.max(most, size), this.#head?.seq ?? 0);
    if (longest <= length) return [];
    const before = [...this.#kept.values()].find(({ size }) => size === longest)?.place ?? this.#head?.place;
    return [
      violated('I3', `The chain has ${length} events, and had ${longest} before: its end is gone.`, before, place),
    ];
  }

  #genesis({ events: [first] }: Books, place: number): readonly Violation[] {
    const parsed = Event.safeParse(first);
    const kept = [...this.#kept.values()];
    if (!parsed.success || kept.length === 0) return [];
    const begins = new Set(kept.map(({ signer, origin }) => hashText(`${signer}\n${origin.split('/').at(-1)}`)));
    if (begins.has(parsed.data.hashPrev)) return [];
    return [violated('I3', 'The chain does not begin with its issuer and tenant.', place)];
  }
}

function linkFault(given: object, event: Event, seq: number, hashPrev: string | undefined): string | undefined {
  if (event.seq !== seq) return `Event ${event.seq} stands where event ${seq} should.`;
  if (hashPrev !== undefined && event.hashPrev !== hashPrev) return `Event ${seq} does not follow the event before it.`;
  const content = canonicalize({ ...given, hashCurr: undefined });
  if (hashText(`evidence-v1\n${content}`) !== event.hashCurr)
    return `The content of event ${seq} does not match its hash.`;
  return undefined;
}

/** The root of the Merkle tree (RFC 9162, section 2.1) over leaves that are added one after another. */
class Roots {
  /** Roots of complete subtrees, the largest first, with the number of their leaves. */
  readonly #whole: { readonly leaves: number; readonly hash: Buffer }[] = [];

  /** @param hashCurr of an event; its 32 bytes are the leaf's data */
  add(hashCurr: string): void {
    let hash = sha256(Buffer.from([0]), Buffer.from(hashCurr.slice('sha256:'.length), 'hex'));
    let leaves = 1;
    for (let last = this.#whole.at(-1); last?.leaves === leaves; last = this.#whole.at(-1)) {
      hash = sha256(Buffer.from([1]), last.hash, hash);
      leaves *= 2;
      this.#whole.pop();
    }
    this.#whole.push({ leaves, hash });
  }

  /** In base64. */
  root(): string {
    const hashes = this.#whole.map(({ hash }) => hash);
    if (hashes.length === 0) return sha256().toString('base64');
    return hashes.reduceRight((right, left) => sha256(Buffer.from([1]), left, right)).toString('base64');
  }
}

/** @returns what the note says, or why it does not hold */
function openNote(note: string): Omit<Kept, 'place'> | string {
  const [text = '', signatures = ''] = note.split('\n\n');
  const [origin = '', size = '', root = '', ...more] = text.split('\n');
  const line = /^— (\S+) (\S+)\n?$/.exec(signatures);
  if (line === null || more.length > 0 || !/^\d{1,15}$/.test(size)) return 'its text is no checkpoint';
  const [, signer = '', encoded = ''] = line;
  const signed = Buffer.from(encoded, 'base64');
  const key = keyOf(signer);
  if (key === undefined || signed.length !== 68) return 'it is not signed by a DID';
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
  const holds = verify(
    null,
    Buffer.from(`${text}\n`),
    createPublicKey({ key: jwk, format: 'jwk' }),
    signed.subarray(4),
  );
  return holds ? { origin, size: Number(size), root, signer } : 'the signature does not match';
}

/** The 32 bytes of an Ed25519 key in a did:key. */
function keyOf(did: string): Buffer | undefined {
  if (!did.startsWith('did:key:z')) return undefined;
  const bytes = Buffer.from(bs58.decode(did.slice('did:key:z'.length)));
  return bytes[0] === 0xed && bytes[1] === 1 && bytes.length === 34 ? bytes.subarray(2) : undefined;
}

function hashText(text: string): string {
  return `sha256:${sha256(Buffer.from(text)).toString('hex')}`;
}

function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
