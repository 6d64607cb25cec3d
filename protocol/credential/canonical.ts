/** Canonical JSON (RFC 8785) and the hashes made over it. */
import canonicalize from 'canonicalize';
import { Fault } from '../fault.ts';
import type { Suite } from './ed25519.ts';
import { ordered, UNUSUAL } from './ordered.ts';

/**
 * The one text that RFC 8785 gives a JSON value. Members that are undefined are left out.
 * @throws Fault BAD_REQUEST for what has none: non-finite numbers, lone surrogates, cycles, bigints, function members
 */
export function canonical(value: unknown): string {
  const plain = ordered(value);
  if (plain !== UNUSUAL) return JSON.stringify(plain);
  let text: string | undefined;
  try {
    text = canonicalize(value);
    // The library writes the bare word for a function among the members; asking for it is cheaper than a walk.
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
