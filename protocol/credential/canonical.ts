/** Canonical JSON (RFC 8785) and the hashes made over it. */
import canonicalize from 'canonicalize';
import { Fault } from '../wire/fault.ts';
import { canonicalText, sorted } from './canonicalText.ts';
import type { Suite } from './ed25519.ts';

/**
 * The one text that RFC 8785 gives a JSON value. Members that are undefined are left out.
 * @throws Fault BAD_REQUEST for what has none: non-finite numbers, lone surrogates, cycles, bigints, function members
 */
export function canonical(value: unknown): string {
  const plain = canonicalText(value, writtenText);
  if (plain !== undefined) return plain;
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

/**
 * The canonical JSON of an object without one of its members, and with it.
 * @param name the member, which the object itself need not have
 * @throws Fault BAD_REQUEST as `canonical`
 */
export function canonicalAround(
  object: Readonly<Record<string, unknown>>,
  name: string,
): { readonly without: string; readonly with: (member: unknown) => string } {
  let before = '';
  let after = '';
  for (const each of sorted(Object.keys(object))) {
    const value = object[each];
    if (value === undefined || each === name) continue;
    if (each < name) before += `${canonical(each)}:${canonical(value)},`;
    else after += `,${canonical(each)}:${canonical(value)}`;
  }
  return {
    without: `{${before === '' ? after.slice(1) : before.slice(0, -1) + after}}`,
    with: (member) => `{${before}${canonical(name)}:${canonical(member)}${after}}`,
  };
}

/** Not enumerable, so that no copy and no JSON has it. A WeakMap would cost more to collect than the text to write. */
const TEXT = Symbol('canonical JSON');
const writtenText = (object: { readonly [TEXT]?: string }) => object[TEXT];

/**
 * Keeps the canonical JSON of a document that is finished, for whatever it becomes part of.
 * @param document must not be changed any more
 */
export function keepText(document: object, text: string): void {
  Object.defineProperty(document, TEXT, { value: text });
}

/** A document as JSON text: the one that was kept of it, or else in the order of its members. */
export function jsonText(document: object): string {
  return writtenText(document) ?? JSON.stringify(document);
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
