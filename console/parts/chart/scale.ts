/** The scale of a chart of amounts. */

/** @returns a round number that no amount is above: a few times a power of ten */
export function roundTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const factor = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * power >= most) ?? 10;
  return factor * power;
}

/** Such as "1.5K USD", "200 USD", "0.05 USD": at an axis there is room for little. */
export function axisText(amount: number, currency: string): string {
  const text = Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 }).format(amount);
  return `${text} ${currency}`;
}
