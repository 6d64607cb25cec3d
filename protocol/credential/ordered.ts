/** A JSON value with its members in the order of RFC 8785, for JSON.stringify to spell, which it does as the RFC does. */

/** Deeper values are left to the library, which says what is wrong with them. */
const MAX_DEPTH = 64;
/** Engines put such members first, whatever order they were added in. */
const INDEX_LIKE = /^\d/;

/** Says that a value holds something this file does not judge. */
export const UNUSUAL = Symbol('unusual');

/** @returns UNUSUAL for what is not plain JSON, or not surely: the caller asks the library then */
export function ordered(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : UNUSUAL;
    case 'number':
      return Number.isFinite(value) ? value : UNUSUAL;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth >= MAX_DEPTH || 'toJSON' in value) return UNUSUAL;
      return Array.isArray(value) ? orderedArray(value, depth + 1) : orderedObject(value as Members, depth + 1);
    default:
      return UNUSUAL;
  }
}

type Members = Readonly<Record<string, unknown>>;

function orderedArray(values: readonly unknown[], depth: number): unknown {
  const result: unknown[] = [];
  for (const each of values) {
    const value = ordered(each, depth);
    if (value === UNUSUAL) return UNUSUAL;
    result.push(value);
  }
  return result;
}

function orderedObject(object: Members, depth: number): unknown {
  const result: Record<string, unknown> = {};
  // Sorting without a comparison function goes by UTF-16 code units, as the RFC wants it.
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined) continue;
    const value = ordered(member, depth);
    if (value === UNUSUAL || name === '__proto__' || INDEX_LIKE.test(name) || !name.isWellFormed()) return UNUSUAL;
    result[name] = value;
  }
  return result;
}
