/** Amounts of tokens: whole numbers of the smallest unit as text, since 10^16 of them may be a cent. */
import { exponentOf } from '../money.ts';
import type { TokenAsset } from './usdAssets.ts';

/** What a sum counts as against limits: a JSON number carries each of 15 digits. */
const MOST_MINOR = 10n ** 15n;

/**
 * @param amount digits, in the token’s smallest unit
 * @returns ISO 4217 minor units, rounded up, so that limits never count too little; undefined for 10^15 of them or more
 */
export function minorUnitsOf(amount: string, { decimals, currency }: TokenAsset): number | undefined {
  const shift = decimals - exponentOf(currency);
  const atomic = BigInt(amount);
  const unit = 10n ** BigInt(Math.abs(shift));
  const minor = shift >= 0 ? (atomic + unit - 1n) / unit : atomic * unit;
  return minor < MOST_MINOR ? Number(minor) : undefined;
}

/**
 * The exact sum as decimal text, with as many decimals as the currency has or as it needs: `5.00`, `0.001`.
 * @param amount digits, in the token’s smallest unit
 */
export function exactAmount(amount: string, { decimals, currency }: TokenAsset): string {
  const digits = amount.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '');
  const least = exponentOf(currency);
  const fraction = digits.slice(digits.length - decimals).padEnd(least, '0');
  let end = fraction.length;
  while (end > least && fraction.charAt(end - 1) === '0') end -= 1;
  return end === 0 ? whole : `${whole}.${fraction.slice(0, end)}`;
}
