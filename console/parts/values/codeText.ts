/** Codes as words. */

/** `AMOUNT_OVER_CAP` as "Amount over cap". */
export function wordsOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
