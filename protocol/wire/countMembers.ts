/** Counts what stands in a value at any depth: members and elements that hold no others, empty ones too. */

/** @param most counting ends beyond it @returns the number, or one that is greater than `most` */
export function countMembers(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Object.values(value);
  if (inner.length === 0) return 1;
  let count = 0;
  for (const each of inner) {
    count += countMembers(each, most - count);
    if (count > most) break;
  }
  return count;
}
