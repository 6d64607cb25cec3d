/** Memoization with a bound, for results that take long to compute and are asked for often. */

/**
 * Remembers what `compute` gave for a key. When `limit` entries are held the oldest goes, so that callers who
 * never repeat themselves cannot fill the memory.
 */
export function memoize<Value>(limit: number, compute: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (key) => {
    const hit = known.get(key);
    if (hit !== undefined) return hit.value;
    const value = compute(key);
    if (known.size >= limit) {
      const oldest = known.keys().next();
      if (!oldest.done) known.delete(oldest.value);
    }
    known.set(key, { value });
    return value;
  };
}
