/** Paths into calls and results. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOneOf, parsePath, textAt, valueAt, valuesAt } from '../../../../src/extensions/guard/rules/jsonPath.ts';

test('members, elements and every element', () => {
  const document = { a: { 'b c': [{ d: 1 }, { d: 2 }] }, n: null };
  assert.deepEqual(valuesAt(document, "$.a['b c'][*].d"), [1, 2]);
  assert.equal(valueAt(document, '$.a["b c"][1].d'), 2);
  assert.equal(valueAt(document, '$.a["b c"][*].d'), undefined);
  assert.equal(valueAt(document, '$.n'), undefined);
  assert.deepEqual(valuesAt(document, '$'), [document]);
});

test('what an object inherits is not of it, and an index is of a list', () => {
  for (const path of ['$.constructor', '$.toString', '$.a.__proto__', '$[0]', '$.a.length']) {
    assert.deepEqual(valuesAt({ a: [] }, path), [], path);
  }
  assert.deepEqual(valuesAt(JSON.parse('{"__proto__":{"amount":1}}'), '$.amount'), []);
});

test('what is no path', () => {
  for (const text of ['', 'a', '$a', '$.', '$..a', '$.a[', '$.a[-1]', '$.a[?(@.b)]', '$.a[0:2]', '$.a b', "$['a']x"]) {
    assert.equal(parsePath(text), undefined, text);
  }
});

test('patterns ignore letter case, and hold for the whole value', () => {
  const call = { service: 'Payments', count: 4, on: true };
  assert.equal(isOneOf(call, '$.service', ['payments']), true);
  assert.equal(isOneOf(call, '$.service', ['pay']), false);
  assert.equal(isOneOf(call, '$.service', ['pay*', 'x']), true);
  assert.equal(isOneOf(call, '$.count', ['?']), true);
  assert.equal(isOneOf(call, '$.on', [true]), true);
  assert.equal(isOneOf({ service: 'a.c' }, '$.service', ['abc']), false);
  assert.equal(isOneOf({ service: ['payments'] }, '$.service', ['payments']), false);
  assert.equal(textAt({ id: '' }, '$.id'), undefined);
});
