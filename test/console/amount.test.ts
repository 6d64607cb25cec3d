/** Money in the console is the node's own text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountText } from '../../console/parts/values/amount.ts';
import { formatMoney, fromMinor } from '../../protocol/money.ts';

test('any amount in any currency reads as the node writes it', () => {
  const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'EUR', 'CLF', 'ISK');
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 13), max: 10 ** 13 }), currency, (minor, code) => {
      const shown = amountText(fromMinor(minor, code), code);
      assert.equal(shown.replace(/^-(0(\.0+)?) /, '$1 '), formatMoney(minor, code));
    }),
  );
  assert.equal(amountText(1234567.5, 'USD'), '1,234,567.50 USD');
});
