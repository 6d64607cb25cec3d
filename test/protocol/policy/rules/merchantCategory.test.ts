/** Merchant categories: the table, and the rules that use it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import categories from '../../../../data/categories.json' with { type: 'json' };
import { CATEGORY_NAMES, categoryOf, expandCodes, mccText } from '../../../../protocol/policy/values/category.ts';
import { codesOf, judge, type RulesInput } from '../judge.ts';

test('each code of the table is four digits and in one category only', () => {
  const seen = new Map<string, string>();
  for (const [name, entries] of Object.entries(categories)) {
    assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(entries.length > 0, `${name} is empty`);
    for (const entry of entries) {
      assert.match(entry, /^\d{4}(-\d{4})?$/, name);
      const codes = expandCodes(entry);
      assert.ok(codes.length > 0, `${entry} is empty`);
      for (const code of codes) {
        assert.equal(seen.get(code), undefined, `${code} is in ${seen.get(code)} and ${name}`);
        seen.set(code, name);
      }
    }
    assert.deepEqual(entries, [...entries].sort(), `${name} is in order`);
  }
});

test('a code is said with the name of its category, also one of a range', () => {
  assert.deepEqual(['5411', '3001', '0001'].map(mccText), ['Groceries (5411)', 'Airlines (3001)', '0001']);
});

test('each code that the card schemes keep for airlines, car rentals and hotels is in their category', () => {
  const at = (first: number, last: number) =>
    new Set(Array.from({ length: last - first + 1 }, (_, i) => categoryOf(String(first + i))));
  assert.deepEqual([...at(3000, 3350)], ['airlines']);
  assert.deepEqual([...at(3351, 3500)], ['car_rental']);
  assert.deepEqual([...at(3501, 3999)], ['lodging']);
});

test('well-known codes are where one looks for them', () => {
  const known = {
    '5411': 'groceries',
    '5732': 'electronics',
    '5712': 'household',
    '5812': 'restaurants',
    '5942': 'books',
    '3000': 'airlines',
    '4511': 'airlines',
    '3501': 'lodging',
    '7011': 'lodging',
    '5541': 'fuel',
    '5912': 'pharmacy',
    '5816': 'digital_goods',
    '7995': 'gambling',
    '6051': 'financial',
    '8398': 'charity',
    '0742': 'pets',
  };
  for (const [mcc, name] of Object.entries(known)) assert.equal(categoryOf(mcc), name, mcc);
  assert.equal(categoryOf('0000'), undefined);
  assert.ok(CATEGORY_NAMES.length >= 25);
});

describe('a merchant category', () => {
  const some: RulesInput = { spend: { categories: ['groceries', 'books'] } };
  const cases: [string, RulesInput, string | undefined, boolean][] = [
    ['that is listed is allowed', some, '5411', true],
    ['that is not listed is denied', some, '5812', false],
    ['that nothing maps is denied where there is a list', some, '0001', false],
    ['that nothing maps is allowed where there is none', { spend: { categories: [] } }, '0001', true],
    [
      'that is not named is not checked',
      { ...some, merchant: { mcc_allow: ['5411'], mcc_deny: ['5812'] } },
      undefined,
      true,
    ],
    ['that is not named is denied by a strict policy', { spend: { categories_strict: true } }, undefined, false],
    ['that is named passes a strict policy without a list', { spend: { categories_strict: true } }, '5411', true],
    ['is denied by code', { merchant: { mcc_deny: ['7995'] } }, '7995', false],
    ['is not denied by another code', { merchant: { mcc_deny: ['7995'] } }, '7994', true],
    ['is allowed by code', { merchant: { mcc_allow: ['5411'] } }, '5411', true],
    ['is denied when other codes are allowed', { merchant: { mcc_allow: ['5411'] } }, '5412', false],
    ['is allowed by an empty list of codes', { merchant: { mcc_allow: [] } }, '5412', true],
    ['is denied by code though its category is listed', { ...some, merchant: { mcc_deny: ['5411'] } }, '5411', false],
    ['is denied by category though its code is allowed', { ...some, merchant: { mcc_allow: ['5812'] } }, '5812', false],
  ];
  for (const [name, rules, mcc, allowed] of cases) {
    test(name, () => assert.deepEqual(codesOf(rules, { mcc }), allowed ? [] : ['MCC_DENIED']));
  }

  test('is named in the refusal, with what would be allowed', () => {
    const { message } = judge(some, { mcc: '5812' }).details.MCC_DENIED ?? {};
    assert.equal(
      message,
      'Merchant category 5812 (restaurants) is not in a category that the policy allows: groceries, books.',
    );
  });
});
