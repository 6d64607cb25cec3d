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

/**
 * @param parts documents inside the value whose text is known
 * @returns undefined for a value that is not certainly plain JSON
 */
export function canonicalText(value: unknown, parts: readonly Signed[], depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
      return stringText(value);
    case 'number':
      // Numbers print as the RFC requires, and minus zero as zero.
      return Number.isFinite(value) ? String(value) : undefined;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= MAX_DEPTH || 'toJSON' in value) return undefined;
      return Array.isArray(value)
        ? arrayText(value, parts, depth + 1)
        : (textAmong(parts, value) ?? objectText(value as Members, parts, depth + 1));
    default:
      return undefined;
  }
}

type Members = Readonly<Record<string, unknown>>;

function stringText(text: string): string | undefined {
  if (PLAIN.test(text)) return `"${text}"`;
  return text.isWellFormed() ? JSON.stringify(text) : undefined;
}

function textAmong(parts: readonly Signed[], value: object): string | undefined {
  for (const { document, text } of parts) if (document === value) return text;
  return undefined;
}

function arrayText(values: readonly unknown[], parts: readonly Signed[], depth: number): string | undefined {
  let text = '';
  for (const each of values) {
    const value = canonicalText(each, parts, depth);
    if (value === undefined) return undefined;
    text += text === '' ? value : `,${value}`;
  }
  return `[${text}]`;
}

function objectText(object: Members, parts: readonly Signed[], depth: number): string | undefined {
  let text = '';
  for (const name of sorted(Object.keys(object))) {
    const member = object[name];
    if (member === undefined) continue;
    const head = headOf(name);
    const value = canonicalText(member, parts, depth);
    if (value === undefined || head === undefined) return undefined;
    text += text === '' ? head + value : `,${head}${value}`;
  }
  return `{${text}}`;
}

/** A member's quoted name and colon. Long names come from callers and are not cached, since they would fill the memory. */
export function headOf(name: string): string | undefined {
  return name.length <= LONGEST_CACHED ? cachedHeadOf(name) : newHeadOf(name);
}

const cachedHeadOf = memoize(CACHED_NAMES, newHeadOf);

function newHeadOf(name: string): string | undefined {
  const quoted = stringText(name);
  return quoted === undefined ? undefined : `${quoted}:`;
}

/** Sorts by UTF-16 code units, as the RFC requires, by insertion: objects have few members, and it allocates nothing. */
export function sorted(names: string[]): string[] {
  if (names.length > MANY) return names.sort();
  for (let end = 1; end < names.length; end++) {
    const name = names[end] as string;
    let at = end;
    for (; at > 0 && (names[at - 1] as string) > name; at--) names[at] = names[at - 1] as string;
    names[at] = name;
  }
  return names;
}
