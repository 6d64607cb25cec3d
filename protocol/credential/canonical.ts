/** Canonical JSON (RFC 8785), and hashes over it. */
import canonicalize from 'canonicalize';
import { Fault } from '../wire/fault.ts';
import { memoize } from '../wire/memoize.ts';
import type { Suite } from './ed25519.ts';

/** A signed document with its canonical JSON, which is written once for storage and for documents that contain it. */
export interface SignedDocument<T extends object = object> {
  readonly document: T;
  readonly text: string;
}

/**
 * The canonical JSON (RFC 8785) of a value. Members that are undefined are left out.
 * @param parts documents inside the value whose text is known
 * @throws Fault BAD_REQUEST for non-finite numbers, lone surrogates, cycles, bigints and function members
 */
export function canonical(value: unknown, parts: readonly SignedDocument[] = NONE): string {
  return canonicalText(value, parts) ?? canonicalPlainly(value);
}

const NONE: readonly SignedDocument[] = [];

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
export function canonicalAround(object: object, name: string, parts: readonly SignedDocument[] = NONE): TextAround {
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

/** Deeper values are left to the library, which reports what is wrong with them. */
const MAX_DEPTH = 64;
/** Printable ASCII without the quote and the backslash: characters that need no escape. */
const PLAIN = /^[ !#-[\]-~]*$/;
const CACHED_NAMES = 1_000;
const LONGEST_CACHED = 64;
/** With more names, the built-in sort is faster than insertion. */
const MANY = 24;

type Members = Readonly<Record<string, unknown>>;

/** A text as far as it is written. */
interface Draft {
  text: string;
}

/**
 * @param parts documents inside the value whose text is known
 * @returns undefined for a value that is not certainly plain JSON
 */
export function canonicalText(value: unknown, parts: readonly SignedDocument[]): string | undefined {
  const draft: Draft = { text: '' };
  return write(draft, value, parts, 0) ? draft.text : undefined;
}

/**
 * The members of an object in two texts, those that stand before a name and those after it; a member of that name is in neither.
 * @returns undefined as canonicalText
 */
function membersAround(
  object: object,
  name: string,
  parts: readonly SignedDocument[],
): { readonly before: string; readonly after: string } | undefined {
  if ('toJSON' in object || Array.isArray(object)) return undefined;
  const [before, after]: [Draft, Draft] = [{ text: '' }, { text: '' }];
  for (const each of sorted(Object.keys(object))) {
    if (each === name) continue;
    const draft = each < name ? before : after;
    const member = (object as Members)[each];
    if (member !== undefined && !writeMember(draft, each, member, draft.text === '', parts, 1)) return undefined;
  }
  return { before: before.text, after: after.text };
}

function write(draft: Draft, value: unknown, parts: readonly SignedDocument[], depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return writeString(draft, value);
    case 'number':
      // Numbers print as the RFC requires, and minus zero as zero.
      draft.text += String(value);
      return Number.isFinite(value);
    case 'boolean':
      draft.text += value ? 'true' : 'false';
      return true;
    case 'object':
      if (value !== null) return writeObject(draft, value, parts, depth);
      draft.text += 'null';
      return true;
    default:
      return false;
  }
}

function writeString(draft: Draft, text: string): boolean {
  if (!PLAIN.test(text)) {
    if (!text.isWellFormed()) return false;
    draft.text += JSON.stringify(text);
    return true;
  }
  draft.text += '"';
  draft.text += text;
  draft.text += '"';
  return true;
}

function writeObject(draft: Draft, value: object, parts: readonly SignedDocument[], depth: number): boolean {
  if (depth >= MAX_DEPTH || 'toJSON' in value) return false;
  if (Array.isArray(value)) return writeArray(draft, value, parts, depth + 1);
  for (const { document, text } of parts) {
    if (document !== value) continue;
    draft.text += text;
    return true;
  }
  return writeMembers(draft, value as Members, parts, depth + 1);
}

function writeArray(
  draft: Draft,
  values: readonly unknown[],
  parts: readonly SignedDocument[],
  depth: number,
): boolean {
  draft.text += '[';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) draft.text += ',';
    if (!write(draft, values[index], parts, depth)) return false;
  }
  draft.text += ']';
  return true;
}

function writeMembers(draft: Draft, object: Members, parts: readonly SignedDocument[], depth: number): boolean {
  draft.text += '{';
  let isFirst = true;
  for (const name of sorted(Object.keys(object))) {
    const member = object[name];
    if (member === undefined) continue;
    if (!writeMember(draft, name, member, isFirst, parts, depth)) return false;
    isFirst = false;
  }
  draft.text += '}';
  return true;
}

function writeMember(
  draft: Draft,
  name: string,
  member: unknown,
  isFirst: boolean,
  parts: readonly SignedDocument[],
  depth: number,
): boolean {
  const heads = headsOf(name);
  if (heads === undefined) return false;
  draft.text += isFirst ? heads.first : heads.next;
  return write(draft, member, parts, depth);
}

/** A member's quoted name and colon, for the first one and for those after it. */
interface Heads {
  readonly first: string;
  readonly next: string;
}

/** Long names come from callers and are not cached, since they would fill the memory. */
function headsOf(name: string): Heads | undefined {
  return name.length <= LONGEST_CACHED ? cachedHeadsOf(name) : newHeadsOf(name);
}

const cachedHeadsOf = memoize(CACHED_NAMES, newHeadsOf);

function newHeadsOf(name: string): Heads | undefined {
  if (!name.isWellFormed()) return undefined;
  const first = `${JSON.stringify(name)}:`;
  return { first, next: `,${first}` };
}

/** Sorts by UTF-16 code units, as the RFC requires, by insertion: objects have few members, and it allocates nothing. */
function sorted(names: string[]): string[] {
  if (names.length > MANY) return names.sort();
  for (let end = 1; end < names.length; end++) {
    const name = names[end] as string;
    let at = end;
    for (; at > 0 && (names[at - 1] as string) > name; at--) names[at] = names[at - 1] as string;
    names[at] = name;
  }
  return names;
}
