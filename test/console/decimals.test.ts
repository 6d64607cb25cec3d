/** The decimals of a currency come from the table of ISO 4217, never from Intl, which has others for some. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { amountText } from '../../console/parts/values/amount.ts';
import decimals from '../../data/currencies.json' with { type: 'json' };
import { formatMoney } from '../../protocol/money.ts';

/** What lets Intl choose decimals: its style for money, and what it says of one. */
const CHOSEN_BY_INTL = /style:\s*['"]currency['"]|currencyDisplay|resolvedOptions\(\)\.\w*FractionDigits/;

const intlDecimals = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
const decimalsIn = (text: string) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0;

describe('the decimals of money', () => {
  const differing = Object.entries(decimals).filter(([currency, digits]) => intlDecimals(currency) !== digits);

  test('differ between Intl and ISO 4217 for some currencies, so that it matters whose they are', () => {
    assert.ok(differing.length > 0);
  });

  for (const [currency, digits] of [
    ...differing,
    ...Object.entries({ HUF: 2, TWD: 2, ISK: 0, UGX: 0, KWD: 3, JPY: 0 }),
  ]) {
    test(`are ${digits} for ${currency}, in the console as in every text of the node`, () => {
      assert.equal(decimalsIn(amountText(1234, currency)), digits);
      assert.equal(decimalsIn(formatMoney(123_400, currency)), digits);
      assert.equal(amountText(1234, currency), formatMoney(1234 * 10 ** digits, currency));
    });
  }

  test('are asked of Intl nowhere in what a person reads', () => {
    const sources = ['protocol', 'src', 'console', 'client', 'packages/python/src'].flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(tsx?|js|py|html)$/.test(name))
        .map((name) => `${room}/${name}`),
    );
    assert.ok(sources.length > 500);
    assert.deepEqual(
      sources.filter((file) => CHOSEN_BY_INTL.test(readFileSync(file, 'utf8'))),
      [],
    );
    assert.match("new Intl.NumberFormat('en', { style: 'currency', currency })", CHOSEN_BY_INTL);
  });
});
