/** Writes the table of currencies for the Python client. */
import currencies from '../../data/currencies.json' with { type: 'json' };

const HEAD = `"""How many decimals each currency has (ISO 4217). Written by scripts/client.mjs from data/currencies.json; do not edit."""

EXPONENTS: dict[str, int] = {
`;

/** The text of _currencies.py as it has to be now. */
export function currenciesText(): string {
  const lines = Object.entries(currencies).map(([code, exponent]) => `    "${code}": ${exponent},\n`);
  return `${HEAD}${lines.join('')}}\n`;
}
