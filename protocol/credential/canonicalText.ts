/** Writes a JSON value as RFC 8785 wants it, where it is plain beyond doubt; the rest is left to the library. */
import { memo } from '../wire/memo.ts';
import type { Signed } from './canonical.ts';

/** Deeper values are left to the library, which says what is wrong with them. */
const MAX_DEPTH = 64;
/** Printable ASCII without the quote and the backslash: what stands for itself between quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;
const REMEMBERED_NAMES = 1_000;
const LONGEST_REMEMBERED = 64;
/** From here on a sort that copies is faster than one that shifts. */
const MANY = 24;

/**
 * @param parts documents somewhere in the value whose text is known
 * @returns undefined for what is not plain JSON, or not surely
 */
export function canonicalText(value: unknown, parts: readonly Signed[], depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
      return stringText(value);
    case 'number':
      // Numbers print as the RFC wants them, and minus zero as zero.
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

/** A member's name, quoted, and its colon. Long names are a stranger's and not remembered: they would fill the memory. */
export function headOf(name: string): string | undefined {
  return name.length <= LONGEST_REMEMBERED ? rememberedHeadOf(name) : newHeadOf(name);
}

const rememberedHeadOf = memo(REMEMBERED_NAMES, newHeadOf);

function newHeadOf(name: string): string | undefined {
  const quoted = stringText(name);
  return quoted === undefined ? undefined : `${quoted}:`;
}

/** Sorts by UTF-16 code units, as the RFC wants it, in place: objects have few members, and no copy is made. */
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
