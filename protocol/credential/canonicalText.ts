/** Writes the canonical JSON (RFC 8785) of plain values; all others are left to the library. */
import { memoize } from '../wire/memoize.ts';
import type { Signed } from './canonical.ts';

/** Deeper values are left to the library, which reports what is wrong with them. */
const MAX_DEPTH = 64;
/** Printable ASCII without the quote and the backslash: characters that need no escape. */
const PLAIN = /^[ !#-[\]-~]*$/;
const CACHED_NAMES = 1_000;
const LONGEST_CACHED = 64;
/** With more names, the built-in sort is faster than insertion. */
const MANY = 24;

/** More pieces than this are not kept for the next text. */
const KEPT_PIECES = 4096;

type Members = Readonly<Record<string, unknown>>;

/**
 * What a text is joined from, the first `count` of them: a text that grew piece by piece would leave a string behind for each.
 * There is one list for all texts, since none is begun while another one is written.
 */
let pieces: string[] = [];
let count = 0;

/**
 * @param parts documents inside the value whose text is known
 * @returns undefined for a value that is not certainly plain JSON
 */
export function canonicalText(value: unknown, parts: readonly Signed[]): string | undefined {
  begin();
  return write(value, parts, 0) ? pieces.slice(0, count).join('') : undefined;
}

/** The text of an object without one of its members and with it. @returns undefined as canonicalText */
export function textAround(
  object: Members,
  name: string,
  parts: readonly Signed[],
): { readonly without: string; readonly with: (member: string) => string } | undefined {
  const own = headsOf(name);
  if (own === undefined || 'toJSON' in object) return undefined;
  begin();
  push('{');
  let middle = count;
  let first: Heads | undefined;
  for (const each of sorted(Object.keys(object))) {
    const value = object[each];
    if (value === undefined || each === name) continue;
    const heads = headsOf(each);
    if (heads === undefined) return undefined;
    push(first === undefined ? heads.first : heads.next);
    first ??= heads;
    if (!write(value, parts, 1)) return undefined;
    if (each < name) middle = count;
  }
  push('}');
  const without = pieces.slice(0, count).join('');
  const at = lengthUpTo(middle);
  return {
    without,
    with(member) {
      if (middle > 1) return without.slice(0, at) + own.next + member + without.slice(at);
      // It comes first, so that what was first begins with a comma.
      const rest = first === undefined ? '}' : first.next + without.slice(1 + first.first.length);
      return `{${own.first}${member}${rest}`;
    },
  };
}

function lengthUpTo(end: number): number {
  let length = 0;
  for (let index = 0; index < end; index++) length += (pieces[index] as string).length;
  return length;
}

function begin(): void {
  count = 0;
  if (pieces.length > KEPT_PIECES) pieces = [];
}

function push(piece: string): void {
  pieces[count] = piece;
  count += 1;
}

function write(value: unknown, parts: readonly Signed[], depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      // Numbers print as the RFC requires, and minus zero as zero.
      push(String(value));
      return Number.isFinite(value);
    case 'boolean':
      push(value ? 'true' : 'false');
      return true;
    case 'object':
      if (value !== null) return writeObject(value, parts, depth);
      push('null');
      return true;
    default:
      return false;
  }
}

function writeString(text: string): boolean {
  if (!PLAIN.test(text)) {
    if (!text.isWellFormed()) return false;
    push(JSON.stringify(text));
    return true;
  }
  push('"');
  push(text);
  push('"');
  return true;
}

function writeObject(value: object, parts: readonly Signed[], depth: number): boolean {
  if (depth >= MAX_DEPTH || 'toJSON' in value) return false;
  if (Array.isArray(value)) return writeArray(value, parts, depth + 1);
  for (const { document, text } of parts) {
    if (document !== value) continue;
    push(text);
    return true;
  }
  return writeMembers(value as Members, parts, depth + 1);
}

function writeArray(values: readonly unknown[], parts: readonly Signed[], depth: number): boolean {
  push('[');
  for (let index = 0; index < values.length; index++) {
    if (index > 0) push(',');
    if (!write(values[index], parts, depth)) return false;
  }
  push(']');
  return true;
}

function writeMembers(object: Members, parts: readonly Signed[], depth: number): boolean {
  push('{');
  let isFirst = true;
  for (const name of sorted(Object.keys(object))) {
    const member = object[name];
    if (member === undefined) continue;
    const heads = headsOf(name);
    if (heads === undefined) return false;
    push(isFirst ? heads.first : heads.next);
    isFirst = false;
    if (!write(member, parts, depth)) return false;
  }
  push('}');
  return true;
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
