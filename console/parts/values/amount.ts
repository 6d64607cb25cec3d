/** Money as text: always with its currency, and with the decimals that the currency has (ISO 4217). */
import decimals from '../../../data/currencies.json' with { type: 'json' };

const DECIMALS: ReadonlyMap<string, number> = new Map(Object.entries(decimals));

/** Every currency there is, by its code. */
export function currencies(): readonly string[] {
  return [...DECIMALS.keys()];
}

/** @param minor in minor units of the currency */
export function amountOf(minor: number, currency: string): number {
  return minor / 10 ** decimalsOf(currency);
}

/** @param amount as on the wire @returns in minor units, which add up without rounding errors */
export function minorOf(amount: number, currency: string): number {
  return Math.round(amount * 10 ** decimalsOf(currency));
}

/** @param amount as on the wire, 42.5 for 42.50 USD */
export function amountText(amount: number, currency: string): string {
  const digits = decimalsOf(currency);
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${amount.toLocaleString('en-US', format)} ${currency}`;
}

function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}
