/**
 * Money as whole thousandths of a unit, which every amount of the API is exactly: no currency has more than three decimals.
 * Amounts go through their decimal text, never through a multiplication.
 */
import currencies from '../../../data/currencies.json' with { type: 'json' };

const DIGITS: ReadonlyMap<string, number> = new Map(Object.entries(currencies));
const PLACES = 3;

/** @param amount as the API writes it @returns undefined for what is no amount */
export function thousandthsOf(amount: unknown): number | undefined {
  if (typeof amount !== 'number') return undefined;
  const found = /^(\d+)(?:\.(\d{1,3}))?$/.exec(String(amount));
  if (found === null) return undefined;
  return Number(found[1] + (found[2] ?? '').padEnd(PLACES, '0'));
}

/** @param minor as rails count @throws Error for a currency that is not in ISO 4217 */
export function thousandthsOfMinor(minor: number, currency: string): number {
  const digits = DIGITS.get(currency);
  if (digits === undefined) throw new Error(`${currency} is no currency.`);
  return minor * 10 ** (PLACES - digits);
}

/** Such as `30.00 USD`. */
export function sayMoney(thousandths: number, currency: string): string {
  const digits = DIGITS.get(currency) ?? PLACES;
  return `${(thousandths / 1000).toFixed(digits)} ${currency}`;
}
