/** Canonical JSON (RFC 8785), and hashes over it. */
import canonicalize from 'canonicalize';
import { Fault } from '../wire/fault.ts';
import { canonicalText, membersAround } from './canonicalText.ts';
import type { Suite } from './ed25519.ts';

/** A signed document with its canonical JSON, which is written once for storage and for documents that contain it. */
export interface Signed<T extends object = object> {
  readonly document: T;
  readonly text: string;
}

/**
 * The canonical JSON (RFC 8785) of a value. Members that are undefined are left out.
 * @param parts documents inside the value whose text is known
 * @throws Fault BAD_REQUEST for non-finite numbers, lone surrogates, cycles, bigints and function members
 */
export function canonical(value: unknown, parts: readonly Signed[] = NONE): string {
  return canonicalText(value, parts) ?? canonicalPlainly(value);
}

const NONE: readonly Signed[] = [];

/** The canonical JSON of an object without one of its members, and with another value of it: its other members are written once. */
interface TextAround {
  readonly without: string;
  /** @param value that has canonical JSON */
  with(value: unknown): string;
}

/**
 * The canonical JSON of an object around a member, such as the proof over the others.
 * @param parts documents inside the object whose text is known
 * @throws Fault BAD_REQUEST as `canonical`
 */
export function canonicalAround(object: object, name: string, parts: readonly Signed[] = NONE): TextAround {
  const members = membersAround(object, name, parts);
  if (members === undefined) return canonicalAroundPlainly(object, name);
  const { before, after } = members;
  return {
    without: `{${joined(before, after)}}`,
    with: (value) => `{${joined(joined(before, `${JSON.stringify(name)}:${canonical(value)}`), after)}}`,
  };
}

/** The plain version of `canonicalAround`. */
export function canonicalAroundPlainly(object: object, name: string): TextAround {
  return {
    without: canonicalPlainly({ ...object, [name]: undefined }),
    with: (value) => canonicalPlainly({ ...object, [name]: value }),
  };
}

function joined(one: string, other: string): string {
  return one === '' || other === '' ? one + other : `${one},${other}`;
}

/** The plain version of `canonical`, by the reference library. */
export function canonicalPlainly(value: unknown): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
    // The library writes the bare word `undefined` for a function member; parsing then finds it.
    if (text?.includes('undefined')) JSON.parse(text);
  } catch (error) {
    throw new Fault('BAD_REQUEST', `The value has no canonical JSON: ${reasonOf(error)}.`);
  }
  if (text === undefined) throw new Fault('BAD_REQUEST', 'The value has no canonical JSON: it is not JSON.');
  return text;
}

/** `sha256:` and the hexadecimal SHA-256 of a text's UTF-8 bytes. */
export function hashText(suite: Suite, text: string): string {
  return `sha256:${suite.sha256Hex(text)}`;
}

/**
 * `sha256:` and the hexadecimal SHA-256 of a value's canonical JSON.
 * @throws Fault BAD_REQUEST as `canonical`
 */
export function hashOf(suite: Suite, value: unknown): string {
  return hashText(suite, canonical(value));
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  if (error instanceof SyntaxError) return 'it holds something that is not JSON';
  return error instanceof Error ? error.message : 'it is not JSON';
}
