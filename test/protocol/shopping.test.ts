/** Which merchants an intent is for that names several. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepShopping } from '../../protocol/intent.ts';
import { isChosen } from '../../protocol/shopping.ts';

test('a merchant is chosen by its domain, or by the name that it signs, in any spelling of either', () => {
  const choice = ['Shop.Example.', 'münchen.example', 'Shoe  & Sons', 'Ｈａｔｓ'];
  assert.ok(isChosen(choice, 'shop.example', undefined));
  assert.ok(isChosen(choice, 'xn--mnchen-3ya.example', 'Other'));
  assert.ok(isChosen(choice, 'other.example', ' shoe  & SONS'));
  assert.ok(isChosen(choice, 'other.example', 'hats'));
  assert.ok(!isChosen(choice, 'www.shop.example', 'Shop'));
  assert.ok(!isChosen(choice, 'other.example', undefined));
});

test('a merchant that calls itself by another’s domain is not that one', () => {
  for (const name of ['shop.example', 'Shop.Example.', ' shop.example ']) {
    assert.ok(!isChosen(['shop.example', 'hats.example'], 'evil.example', name), name);
  }
});

test('what says nothing is not kept', () => {
  assert.equal(keepShopping(undefined, {}), undefined);
  assert.equal(keepShopping(undefined, { description: undefined }), undefined);
  assert.deepEqual(keepShopping(['a'], {}), { merchants: ['a'] });
  assert.deepEqual(keepShopping(undefined, { confirmCart: false }), { shopping: { confirmCart: false } });
});
