/** Texts made of character codes, without a string for each character on the way. */

/** The longest text that is made at once. */
export const LONGEST = 256;

/** By length. They stay, since what signatures, hashes and ids are written as has few lengths. */
const arrays: number[][] = [];

/** An array for the codes of a text of this length: to be filled and given to `textOfCodes` before anything else asks for one. */
export function codesFor(length: number): number[] {
  let codes = arrays[length];
  if (codes === undefined) {
    codes = Array.from({ length }, () => 0);
    arrays[length] = codes;
  }
  return codes;
}

export function textOfCodes(codes: number[]): string {
  return String.fromCharCode.apply(null, codes);
}
