/** Numbers as they are typed: empty is none. */

export function numberIn(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? undefined : value;
}

/** Saved as no limit it would let more pass than the user meant. */
export function isWrong(text: string): boolean {
  return text.trim() !== '' && numberIn(text) === undefined;
}

export function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

export const NO_NUMBER = 'Enter a number, such as 250 or 99.5. Without a number there is no limit.';
