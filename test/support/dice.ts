/** Reproducible chance: the same seed gives the same bytes on every run. */
import { createHash } from 'node:crypto';

export interface Dice {
  bytes(size: number): Uint8Array;
  /** A whole number from 0 up to, but not including, `below`. */
  below(limit: number): number;
}

export function dice(seed: string): Dice {
  let round = 0;
  const block = () => createHash('sha512').update(`${seed} ${round++}`).digest();
  const bytes = (size: number): Uint8Array => {
    const blocks = Array.from({ length: Math.ceil(size / 64) }, block);
    return Uint8Array.from(Buffer.concat(blocks).subarray(0, size));
  };
  return { bytes, below: (limit) => block().readUInt32LE() % limit };
}
