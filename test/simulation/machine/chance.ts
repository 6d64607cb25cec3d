/** Chance of a seed: a stream of numbers for each thing that draws, so that one thing more does not shift all others. */
import { createHash } from 'node:crypto';

export interface Chance {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** A whole number between two, both included. */
  between(least: number, most: number): number;
  /** True so many times in a thousand. */
  permille(share: number): boolean;
  /** One of them. */
  of<T>(list: readonly T[]): T;
  bytes(size: number): Buffer;
}

/** @param seed any text; the same text gives the same numbers (sfc32 by Chris Doty-Humphrey, filled by SHA-256) */
export function chance(seed: string): Chance {
  const filled = createHash('sha256').update(seed).digest();
  let a = filled.readInt32LE(0);
  let b = filled.readInt32LE(4);
  let c = filled.readInt32LE(8);
  let counter = filled.readInt32LE(12);
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return {
    fraction: () => next() / 2 ** 32,
    below,
    between: (least, most) => least + below(most - least + 1),
    permille: (share) => below(1000) < share,
    of: (list) => list[below(list.length)] as (typeof list)[number],
    bytes(size) {
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; at++) bytes[at] = next() >>> 11;
      return bytes;
    },
  };
}
