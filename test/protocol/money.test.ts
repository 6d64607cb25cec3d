/** Money against exact arithmetic in big integers, for every currency. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  Currency,
  exponentOf,
  floorToMinor,
  formatAmount,
  formatMoney,
  fromMinor,
  toMinor,
} from '../../protocol/money.ts';
import { Fault } from '../../protocol/wire/fault.ts';

const table = JSON.parse(readFileSync(new URL('../../data/currencies.json', import.meta.url), 'utf8')) as Record<
  string,
  number
>;
const MAX = BigInt(Number.MAX_SAFE_INTEGER);

const badRequest = (error: unknown) => error instanceof Fault && error.code === 'BAD_REQUEST';
const refuses = (action: () => unknown, about?: RegExp) =>
  assert.throws(action, (error) => badRequest(error) && (about?.test((error as Fault).message) ?? true));

/**
 * A decimal of at most 15 significant digits, which a double holds without loss: its digits, how many of them stand
 * after the point (fewer than none for 1e21), and how it is spelled.
 */
const decimal = fc.record({
  digits: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
  scale: fc.integer({ min: -10, max: 20 }),
});
const tenTo = (power: number) => 10n ** BigInt(power);

/** Whole minor units and whether something is left, by long division. */
function exactly({ digits, scale }: { digits: bigint; scale: number }, exponent: number) {
  const shift = exponent - scale;
  if (shift >= 0) return { minor: digits * tenTo(shift), left: false };
  return { minor: digits / tenTo(-shift), left: digits % tenTo(-shift) !== 0n };
}

test('every currency converts exactly, or refuses, as long division says', () => {
  for (const [currency, exponent] of Object.entries(table)) {
    fc.assert(
      fc.property(decimal, (given) => {
        const amount = Number(`${given.digits}e${-given.scale}`);
        const { minor, left } = exactly(given, exponent);
        if (left || minor > MAX) refuses(() => toMinor(amount, currency));
        else assert.equal(toMinor(amount, currency), Number(minor));
        assert.equal(floorToMinor(amount, currency), Number(minor > MAX ? MAX : minor));
      }),
      { numRuns: 100 },
    );
  }
});

test('what fromMinor makes reads back as the same minor units, up to 15 digits', () => {
  const minors = fc.integer({ min: 0, max: 999_999_999_999_999 });
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(table)), minors, (currency, minor) => {
      assert.equal(toMinor(fromMinor(minor, currency), currency, { allowZero: true }), minor);
    }),
    { numRuns: 3000 },
  );
});

test('formatMoney writes all digits of the minor units, whatever their size', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(table)), fc.maxSafeInteger(), (currency, minor) => {
      const [text = '', code] = formatMoney(minor, currency).split(' ');
      const [whole = '', fraction = ''] = text.split('.');
      assert.equal(code, currency);
      assert.equal(fraction.length, exponentOf(currency));
      assert.equal(BigInt(whole.replaceAll(',', '') + fraction), BigInt(minor));
      assert.match(text, /^-?(0|[1-9]\d{0,2}(,\d{3})*)(\.\d+)?$/);
    }),
  );
});

test('money reads as people write it', () => {
  assert.equal(formatMoney(15000, 'USD'), '150.00 USD');
  assert.equal(formatMoney(118_000, 'USD'), '1,180.00 USD');
  assert.equal(formatMoney(-100_000_000, 'USD'), '-1,000,000.00 USD');
  assert.equal(formatMoney(1_234_567, 'JPY'), '1,234,567 JPY');
  assert.equal(formatMoney(5, 'USD'), '0.05 USD');
  assert.equal(formatMoney(0, 'EUR'), '0.00 EUR');
  assert.equal(formatMoney(-5, 'USD'), '-0.05 USD');
  assert.equal(formatMoney(150, 'JPY'), '150 JPY');
  assert.equal(formatMoney(1500, 'KWD'), '1.500 KWD');
  assert.equal(formatMoney(15000, 'UYW'), '1.5000 UYW');
});

test('amounts that binary fractions only approach convert to the cent', () => {
  const cents: readonly (readonly [number, number])[] = [
    [0.29, 29],
    [1.1, 110],
    [1.15, 115],
    [4.35, 435],
    [8.2, 820],
    [19.99, 1999],
    [1005.01, 100501],
    [0.1, 10],
    [33.33, 3333],
  ];
  for (const [amount, minor] of cents) assert.equal(toMinor(amount, 'USD'), minor);
  refuses(() => toMinor(0.1 + 0.2, 'USD'), /more decimals/);
});

test('the currency decides how many decimals an amount may have', () => {
  assert.equal(toMinor(150, 'JPY'), 150);
  refuses(() => toMinor(150.5, 'JPY'), /more decimals than the 0 of JPY/);
  assert.equal(toMinor(1.234, 'BHD'), 1234);
  refuses(() => toMinor(1.2345, 'BHD'), /more decimals/);
  assert.equal(toMinor(1.2345, 'CLF'), 12345);
  refuses(() => toMinor(150.005, 'USD'), /150\.005 has more decimals than the 2 of USD/);
});

test('numbers in exponent notation convert exactly', () => {
  assert.equal(toMinor(1e13, 'USD'), 1e15);
  refuses(() => toMinor(1e21, 'JPY'), /at most 999,999,999,999,999 JPY/);
  refuses(() => toMinor(Number.MAX_VALUE, 'USD'), /at most 9,999,999,999,999\.99 USD/);
  refuses(() => toMinor(1e-7, 'USD'), /more decimals/);
  refuses(() => toMinor(Number.MIN_VALUE, 'CLF'), /more decimals/);
  assert.equal(floorToMinor(1e-7, 'USD'), 0);
  assert.equal(floorToMinor(1e21, 'USD'), Number.MAX_SAFE_INTEGER);
});

test('nothing, less than nothing and no number are refused', () => {
  for (const amount of [0, -0, -1, -0.01, -1e-9]) refuses(() => toMinor(amount, 'USD'), /more than 0/);
  for (const amount of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    refuses(() => toMinor(amount, 'USD'), /finite/);
    refuses(() => floorToMinor(amount, 'USD'), /finite/);
  }
  refuses(() => floorToMinor(-0.001, 'USD'), /0 or more/);
});

test('a price may be nothing, but not less', () => {
  assert.equal(toMinor(0, 'USD', { allowZero: true }), 0);
  assert.equal(Object.is(toMinor(-0, 'USD', { allowZero: true }), 0), true);
  refuses(() => toMinor(-0.01, 'USD', { allowZero: true }), /0 or more/);
});

test('the largest amount is the largest safe integer of minor units', () => {
  assert.equal(toMinor(Number.MAX_SAFE_INTEGER, 'JPY'), Number.MAX_SAFE_INTEGER);
  refuses(() => toMinor(Number.MAX_SAFE_INTEGER + 1, 'JPY'), /at most/);
  assert.equal(floorToMinor(Number.MAX_SAFE_INTEGER + 1, 'JPY'), Number.MAX_SAFE_INTEGER);
});

test('a limit loses the decimals its currency does not have', () => {
  assert.equal(floorToMinor(99.999, 'USD'), 9999);
  assert.equal(floorToMinor(0.29, 'USD'), 29);
  assert.equal(floorToMinor(150.9, 'JPY'), 150);
  assert.equal(floorToMinor(0, 'USD'), 0);
});

test('minor units that are no whole safe number are a mistake of the program', () => {
  for (const minor of [0.5, Number.NaN, 2 ** 53]) assert.throws(() => formatMoney(minor, 'USD'), RangeError);
});

test('the table is that of ISO 4217: its exponents are 2 but for these', () => {
  const by = (exponent: number) =>
    Object.keys(table)
      .filter((code) => table[code] === exponent)
      .join(' ');
  assert.equal(by(0), 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF');
  assert.equal(by(3), 'BHD IQD JOD KWD LYD OMR TND');
  assert.equal(by(4), 'CLF UYW');
  assert.equal(by(2).split(' ').length, 139);
  // Where Intl and other tables say 0.
  for (const code of ['HUF', 'IDR', 'COP', 'CRC', 'TWD', 'PKR', 'IRR']) assert.equal(exponentOf(code), 2);
});

test('only active codes in upper case are currencies', () => {
  assert.equal(Currency.parse('USD'), 'USD');
  for (const code of ['usd', 'US', 'USDT', '', 'XXX', 'XTS', 'XAU', 'BGN', 'HRK', 'ZWL', 'toString', '__proto__']) {
    assert.equal(Currency.safeParse(code).success, false, code);
    refuses(() => exponentOf(code));
  }
});

test('an amount of the wire is shown with the decimals of its currency', () => {
  const shown = [formatAmount(5, 'USD'), formatAmount(1180.5, 'EUR'), formatAmount(0, 'JPY'), formatAmount(0.5, 'KWD')];
  assert.deepEqual(shown, ['5.00 USD', '1,180.50 EUR', '0 JPY', '0.500 KWD']);
});
