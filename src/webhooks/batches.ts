/** Cuts a list into pieces of few different sizes, so that few statements have to be prepared for them. */
const SIZES = [64, 8, 1] as const;

export function inBatches<T>(items: readonly T[]): T[][] {
  const batches: T[][] = [];
  let from = 0;
  for (const size of SIZES) {
    for (; items.length - from >= size; from += size) batches.push(items.slice(from, from + size));
  }
  return batches;
}
