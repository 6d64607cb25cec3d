/** Random choices that a number decides: the same number gives the same ones. */

export interface Dice {
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** @param seed a whole number; the generator is Mulberry32 */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return { between, pick: (values) => values[between(0, values.length - 1)] as (typeof values)[number] };
}
