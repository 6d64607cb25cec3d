/** Amounts in calls of other vendors' tools, as exact minor units: by whole numbers, never by floating point. What cannot be read is refused. */
import { z } from 'zod';
import { exponentOf } from '../../../../protocol/money.ts';
import { fromStripeAmount } from '../../../../protocol/mpp/stripeAmount.ts';
import { JsonPath, valuesAt } from './jsonPath.ts';

/** `minor` and `major` by ISO 4217; `stripe` is minor units as Stripe counts them (ISK and UGX with two decimals, say). */
export const AmountUnit = z.enum(['minor', 'major', 'stripe'], 'must be "minor", "major" or "stripe"');
type AmountUnit = z.infer<typeof AmountUnit>;

/** A part of a sum that is more than one value: price × quantity of each element, with a percentage of that in its place. */
const AmountTerm = z.strictObject({
  each: JsonPath.optional().describe('The elements; the whole document when absent.'),
  price: JsonPath.describe('Of an element.'),
  quantity: JsonPath.optional().describe('Of an element; 1 where it is absent.'),
  percent: JsonPath.optional().describe(
    'Of an element: only this percentage of the price counts, as a tax; 0 where it is absent.',
  ),
  minus: z.boolean().optional().describe('Whether it is taken off.'),
});

export const AmountSource = z.union(
  [JsonPath, z.number().positive(), z.array(z.union([JsonPath, AmountTerm])).min(1)],
  'must be a path such as $.amount, a number, or a list of paths that are added',
);
export type AmountSource = z.infer<typeof AmountSource>;

/** Why an amount cannot be read: a phrase about it. */
export class UnreadableAmount extends Error {}

/** A decimal number: digits × 10^-scale. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const ZERO: Decimal = { digits: 0n, scale: 0 };
const MOST_MINOR = 10n ** 15n;

/**
 * @param currency in upper case, of ISO 4217
 * @throws UnreadableAmount
 */
export function readAmount(document: unknown, source: AmountSource, unit: AmountUnit, currency: string): number {
  const [total, hasTax] = totalOf(document, source);
  const minor = toMinorUnits(total, unit, currency, hasTax);
  if (minor <= 0n) throw new UnreadableAmount('is not more than 0');
  if (minor >= MOST_MINOR) throw new UnreadableAmount('is more than can be counted');
  if (unit !== 'stripe') return Number(minor);
  const iso = fromStripeAmount(Number(minor), currency);
  if (!Number.isSafeInteger(iso) || iso <= 0) throw new UnreadableAmount('is no amount of Stripe’s in this currency');
  return iso;
}

function totalOf(document: unknown, source: AmountSource): [Decimal, boolean] {
  if (typeof source === 'number') return [decimalOf(source), false];
  if (typeof source === 'string') return [oneAt(document, source), false];
  // A list of paths is a sum of what is there, as of an amount and a tip; the first must be there.
  let sum = ZERO;
  let hasTax = false;
  for (const [index, term] of source.entries()) {
    if (typeof term === 'string') {
      const values = valuesAt(document, term).filter((value) => value !== null && value !== undefined);
      if (values.length === 0 && index === 0) throw new UnreadableAmount(`is not at ${term}`);
      for (const value of values) sum = plus(sum, decimalOf(value));
      continue;
    }
    const part = termOf(document, term);
    hasTax ||= term.percent !== undefined;
    if (index === 0 && part === undefined) throw new UnreadableAmount(`is not at ${term.each ?? term.price}`);
    if (part !== undefined) sum = plus(sum, term.minus === true ? { ...part, digits: -part.digits } : part);
  }
  return [sum, hasTax];
}

function termOf(document: unknown, term: z.infer<typeof AmountTerm>): Decimal | undefined {
  const elements = term.each === undefined ? [document] : valuesAt(document, term.each);
  let sum: Decimal | undefined;
  for (const element of elements) {
    const prices = valuesAt(element, term.price).filter((value) => value !== null && value !== undefined);
    // An element without a price is no element of a sum that can be trusted; a whole term may be absent.
    if (prices.length === 0 && term.each === undefined) continue;
    let part = prices.length === 1 ? decimalOf(prices[0]) : unreadable(`has not one price at ${term.price}`);
    if (term.quantity !== undefined) part = times(part, optionalAt(element, term.quantity, { digits: 1n, scale: 0 }));
    if (term.percent !== undefined) {
      const percent = optionalAt(element, term.percent, ZERO);
      part = times(part, { digits: percent.digits, scale: percent.scale + 2 });
    }
    sum = plus(sum ?? ZERO, part);
  }
  return sum;
}

function optionalAt(document: unknown, path: string, absent: Decimal): Decimal {
  const values = valuesAt(document, path).filter((value) => value !== null && value !== undefined);
  return values.length === 0 ? absent : decimalOf(values[0]);
}

function oneAt(document: unknown, path: string): Decimal {
  const values = valuesAt(document, path);
  if (values.length === 0 || values[0] === null) throw new UnreadableAmount(`is not at ${path}`);
  return values.map(decimalOf).reduce(plus, ZERO);
}

/** A number has the digits of its shortest text, which is the one that was written where it has 15 digits or fewer. */
function decimalOf(value: unknown): Decimal {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : unreadable('is no number');
  const found = /^(\d{1,16})(?:\.(\d{1,12}))?$/.exec(text);
  const [, whole = '', fraction = ''] =
    found ?? unreadable(`is ${JSON.stringify(text.slice(0, 40))}, which is no plain decimal number`);
  if (typeof value === 'number' && (whole + fraction).replace(/^0+/, '').length > 15)
    throw new UnreadableAmount('has more digits than a number carries');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function unreadable(phrase: string): never {
  throw new UnreadableAmount(phrase);
}

function plus(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { digits: scaled(one, scale) + scaled(other, scale), scale };
}

function times(one: Decimal, other: Decimal): Decimal {
  return { digits: one.digits * other.digits, scale: one.scale + other.scale };
}

function scaled({ digits, scale }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}

/** What is left of a percentage is rounded up, so that never too little is reserved; anything else must be exact. */
function toMinorUnits(total: Decimal, unit: AmountUnit, currency: string, hasTax: boolean): bigint {
  const { digits, scale } = times(total, {
    digits: unit === 'major' ? 10n ** BigInt(exponentOf(currency)) : 1n,
    scale: 0,
  });
  const divisor = 10n ** BigInt(scale);
  const rest = digits % divisor;
  if (rest === 0n) return digits / divisor;
  if (!hasTax) {
    const phrase =
      unit === 'major' ? `has more decimals than ${currency} has` : 'has decimals, and is counted in minor units';
    throw new UnreadableAmount(phrase);
  }
  return digits / divisor + (digits > 0n ? 1n : 0n);
}
