/** Amounts in calls of tools become exact minor units, or are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AmountSource, readAmount, UnreadableAmount } from '../../../../src/extensions/guard/rules/amount.ts';

test('numbers and texts are read exactly, by the decimals of the currency', () => {
  const cases: [unknown, 'minor' | 'major' | 'stripe', string, number | RegExp][] = [
    [1050, 'minor', 'USD', 1050],
    ['1050', 'minor', 'USD', 1050],
    ['1050.00', 'minor', 'USD', 1050],
    [10.5, 'minor', 'USD', /has decimals, and is counted in minor units/],
    [19.99, 'major', 'USD', 1999],
    ['19.990', 'major', 'USD', 1999],
    [19.999, 'major', 'USD', /more decimals than USD has/],
    [1050, 'major', 'JPY', 1050],
    [10.5, 'major', 'JPY', /more decimals than JPY has/],
    ['1.234', 'major', 'KWD', 1234],
    [1.1, 'major', 'USD', 110],
    [0.07, 'major', 'USD', 7],
    [1e21, 'major', 'USD', /no plain decimal number/],
    [1e-7, 'major', 'USD', /no plain decimal number/],
    ['1e3', 'minor', 'USD', /no plain decimal number/],
    ['1,000', 'minor', 'USD', /no plain decimal number/],
    ['$5', 'major', 'USD', /no plain decimal number/],
    [' 5', 'major', 'USD', /no plain decimal number/],
    ['0x10', 'minor', 'USD', /no plain decimal number/],
    ['', 'minor', 'USD', /no plain decimal number/],
    [-5, 'minor', 'USD', /no plain decimal number/],
    [0, 'minor', 'USD', /not more than 0/],
    [true, 'minor', 'USD', /is no number/],
    [null, 'minor', 'USD', /is not at \$\.amount/],
    [undefined, 'minor', 'USD', /is no number|is not at/],
    [{ value: 5 }, 'minor', 'USD', /is no number/],
    [1234567890123456, 'minor', 'USD', /more digits than a number carries/],
    ['9999999999999999', 'minor', 'USD', /more than can be counted/],
    [Number.NaN, 'minor', 'USD', /no plain decimal number/],
    [500, 'stripe', 'ISK', 5],
    [500, 'stripe', 'JPY', 500],
  ];
  for (const [amount, unit, currency, expected] of cases) {
    const read = () => readAmount({ amount }, '$.amount', unit, currency);
    if (typeof expected === 'number') assert.equal(read(), expected, `${amount} ${unit} ${currency}`);
    else assert.throws(read, (error) => error instanceof UnreadableAmount && expected.test(error.message), `${amount}`);
  }
});

test('a sum is of what is there, and its first must be', () => {
  const source: AmountSource = ['$.amount_money.amount', '$.tip_money.amount'];
  assert.equal(readAmount({ amount_money: { amount: 100 } }, source, 'minor', 'USD'), 100);
  assert.equal(readAmount({ amount_money: { amount: 100 }, tip_money: { amount: 5 } }, source, 'minor', 'USD'), 105);
  assert.throws(() => readAmount({ tip_money: { amount: 5 } }, source, 'minor', 'USD'), UnreadableAmount);
});

test('a constant, elements, quantities, taxes and what is taken off', () => {
  assert.equal(readAmount({}, 12.5, 'major', 'USD'), 1250);
  assert.equal(readAmount({ lines: [{ p: 1.1 }, { p: 2.2 }] }, '$.lines[*].p', 'major', 'USD'), 330);
  const source: AmountSource = [
    { each: '$.items[*]', price: '$.cost', quantity: '$.count' },
    { each: '$.items[*]', price: '$.cost', quantity: '$.count', percent: '$.tax' },
    { price: '$.discount', minus: true },
  ];
  const order = { items: [{ cost: 0.1, count: 3, tax: 10 }, { cost: 9.99 }], discount: 0.29 };
  assert.equal(readAmount(order, source, 'major', 'USD'), 1003);
  assert.throws(() => readAmount({ items: [{ cost: 1 }, {}] }, source, 'major', 'USD'), /has not one price/);
  assert.throws(() => readAmount({ items: [] }, source, 'major', 'USD'), /is not at \$\.items/);
  assert.throws(() => readAmount({ ...order, discount: 99 }, source, 'major', 'USD'), /not more than 0/);
});

test('whatever the minor units, their decimal text and their number read back to them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (minor) => {
      const text = `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
      for (const amount of [text, Number(text)])
        assert.equal(readAmount({ amount }, '$.amount', 'major', 'EUR'), minor);
    }),
  );
});
