/** Money: JSON numbers on the wire, integer minor units inside, converted by decimal text without rounding errors. */
import { z } from 'zod';
import currencies from '../data/currencies.json' with { type: 'json' };
import { Fault } from './wire/fault.ts';

const LEAST_OF_16_DIGITS = 1e15;

/** Decimals by currency: ISO 4217 list one of January 2026, without the codes that have no minor unit. */
const EXPONENTS: ReadonlyMap<string, number> = new Map(Object.entries(currencies));

export const Currency = z
  .string()
  .refine((code) => EXPONENTS.has(code), 'must be an active ISO 4217 code in upper case, such as USD');
export type Currency = z.infer<typeof Currency>;

/**
 * How many decimals a currency has (ISO 4217).
 * @throws Fault BAD_REQUEST for a code that is not in the list
 */
export function exponentOf(currency: string): number {
  const exponent = EXPONENTS.get(currency);
  if (exponent === undefined) throw new Fault('BAD_REQUEST', `There is no ISO 4217 currency ${currency}.`);
  return exponent;
}

/**
 * The exact minor units of an amount.
 * @param amount as on the wire, `150.25`
 * @param options.allowZero for prices, which may be 0
 * @throws Fault BAD_REQUEST for more decimals than the currency has, 0 or less, no number, or more than
 * 9007199254740991 minor units
 */
export function toMinor(amount: number, currency: string, options: { readonly allowZero?: boolean } = {}): number {
  const { minor, remainder } = split(amount, exponentOf(currency));
  if (amount < 0 || (amount === 0 && options.allowZero !== true)) {
    throw new Fault('BAD_REQUEST', `The amount must be ${options.allowZero ? '0 or more' : 'more than 0'}.`);
  }
  if (remainder) {
    throw new Fault('BAD_REQUEST', `${amount} has more decimals than the ${exponentOf(currency)} of ${currency}.`);
  }
  if (minor > Number.MAX_SAFE_INTEGER) {
    throw tooMuch(currency);
  }
  return minor;
}

/**
 * What is to be spent has 15 digits at most: a JSON number carries each of them, and not every one of 16.
 * @param minor ISO 4217 minor units
 * @throws Fault BAD_REQUEST for 10^15 of them or more
 */
export function requireExact(minor: number, currency: string): number {
  if (minor < LEAST_OF_16_DIGITS) return minor;
  throw tooMuch(currency);
}

function tooMuch(currency: string): Fault {
  return new Fault('BAD_REQUEST', `The amount must be at most ${formatMoney(LEAST_OF_16_DIGITS - 1, currency)}.`);
}

/**
 * The minor units of a limit. Decimals that the currency does not have are dropped, so that the limit never grows.
 * @param amount 0 or more; one that is too large becomes 9007199254740991 minor units
 * @throws Fault BAD_REQUEST for a negative amount or no number
 */
export function floorToMinor(amount: number, currency: string): number {
  const { minor } = split(amount, exponentOf(currency));
  if (amount < 0) throw new Fault('BAD_REQUEST', 'The amount must be 0 or more.');
  return Math.min(minor, Number.MAX_SAFE_INTEGER);
}

/** As floorToMinor, rounded up: the least that is not below an amount. */
export function ceilToMinor(amount: number, currency: string): number {
  const { minor, remainder } = split(amount, exponentOf(currency));
  if (amount < 0) throw new Fault('BAD_REQUEST', 'The amount must be 0 or more.');
  return Math.min(remainder ? minor + 1 : minor, Number.MAX_SAFE_INTEGER);
}

/**
 * The amount for the wire: the number nearest to the decimal text. Up to 15 digits it converts back to the same minor
 * units; a JSON number is not more precise.
 */
export function fromMinor(minor: number, currency: string): number {
  return Number(decimalText(minor, exponentOf(currency)));
}

/** A sum as decimal text, `150.00`: exact however large it is. */
export function sumText(minor: bigint, currency: string): string {
  return decimalText(minor, exponentOf(currency));
}

/** Filters of a list by amount. They come from a query string, so a number may be text. */
export const amountFilters = {
  min: z.coerce
    .number<number>()
    .nonnegative()
    .optional()
    .describe('At least so much, in units of `currency`; without it, in units of each one’s own currency.'),
  max: z.coerce.number<number>().nonnegative().optional().describe('At most so much, as `min`.'),
  currency: Currency.optional(),
};

/** The orders in which records that have an amount are listed. */
export const AmountSort = z
  .enum(['newest', 'oldest', 'largest', 'smallest'])
  .describe('Which come first; the newest ones, unless it is said. By amount those of one `currency` are listed.');

/** A list that is sorted by amount is of one currency. @param records what the list is of, as in "decisions are sorted" */
export function sortedInOneCurrency<
  T extends z.ZodType<{ sort?: z.infer<typeof AmountSort> | undefined; currency?: string | undefined }>,
>(schema: T, records: string): T {
  return schema.refine(({ sort, currency }) => currency !== undefined || (sort !== 'largest' && sort !== 'smallest'), {
    message: `is needed where ${records} are sorted by amount, since amounts of several currencies have no order`,
    path: ['currency'],
  });
}

/** Money for a person: `1,180.00 USD`. */
export function formatMoney(minor: number, currency: string): string {
  return moneyText(decimalText(minor, exponentOf(currency)), currency);
}

/** @param amount as on the wire, `1180`; 0 or more @returns it as a person reads it: `1,180.00 USD` @throws Fault as toMinor */
export function formatAmount(amount: number, currency: string): string {
  return formatMoney(toMinor(amount, currency, { allowZero: true }), currency);
}

/** @param decimal text of an amount, such as `1180.00` @returns it as a person reads it: `1,180.00 USD` */
export function moneyText(decimal: string, currency: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${currency}`;
}

function decimalText(minor: number | bigint, exponent: number): string {
  if (typeof minor === 'number' && !Number.isSafeInteger(minor)) {
    throw new RangeError(`${minor} is no number of minor units.`);
  }
  const digits = String(minor < 0 ? -minor : minor).padStart(exponent + 1, '0');
  const point = digits.length - exponent;
  const sign = minor < 0 ? '-' : '';
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * The absolute amount in whole minor units (exact up to 2^53, above only known to be larger), and whether there is a
 * remainder. It moves the decimal point in the shortest text of the number, `12.5` or `1e-7`.
 */
function split(amount: number, exponent: number): { readonly minor: number; readonly remainder: boolean } {
  if (!Number.isFinite(amount)) throw new Fault('BAD_REQUEST', 'The amount must be a finite number.');
  const scale = 10 ** exponent;
  const near = Math.round(Math.abs(amount) * scale);
  // Up to 15 digits a decimal text and its number convert to each other, and this division rounds correctly.
  if (near < LEAST_OF_16_DIGITS && near / scale === Math.abs(amount)) return { minor: near, remainder: false };
  const [mantissa = '', power = '0'] = String(Math.abs(amount)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(power) + exponent;
  const kept = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const dropped = digits.slice(Math.max(point, 0));
  return { minor: Number(kept), remainder: /[1-9]/.test(dropped) };
}
