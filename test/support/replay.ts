/** Plays examples of the documents against a node: what an example made up is replaced by what the node really gave. */
import type { Example } from '../../src/documents/examples/example.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Replay {
  /** The input with everything in it that the node has given meanwhile. */
  fill(input: Members): Members;
  /** Learns from an answer what the example's own ids, tokens and credentials stand for. */
  learn(example: unknown, real: unknown): void;
}

/** Made-up values that stand for real ones. */
const STANDS_FOR = /^(intent|pm|pol|evt|txn|apt|key|mch|mis|usr|wh|whl|hp|apr|spt|ins|req|wal|grd)_[\w-]{20,}$/;
/** Signed, so replaced as a whole. */
const SIGNED = /^(\w+Vc|hpProof|cartMandate)$/;

export function replay(known: ReadonlyMap<string, unknown> = new Map()): Replay {
  const real = new Map(known);
  const keyOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

  function fill(value: unknown): unknown {
    const found = real.get(keyOf(value));
    if (found !== undefined) return found;
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member)]));
  }

  function learn(example: unknown, answer: unknown): void {
    if (typeof example === 'string' && STANDS_FOR.test(example)) note(example, answer);
    if (typeof example !== 'object' || typeof answer !== 'object' || example === null || answer === null) return;
    if (Array.isArray(example)) return;
    for (const [name, member] of Object.entries(example)) {
      const given = (answer as Members)[name];
      if (SIGNED.test(name)) note(keyOf(member), given);
      learn(member, given);
    }
  }

  function note(key: string, value: unknown): void {
    if (value !== undefined && !real.has(key)) real.set(key, value);
  }

  return { fill: (input) => fill(input) as Members, learn };
}

/** An example's cases in the order in which they can be played: a refusal leaves nothing behind. */
export function casesOf(example: Example): { readonly input: Members; readonly output?: unknown }[] {
  return [...(example.refused === undefined ? [] : [example.refused]), example];
}
