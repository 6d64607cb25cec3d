/** Memoization with a bound. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoize } from '../../../protocol/wire/memoize.ts';

test('a value is computed once, undefined included', () => {
  let computed = 0;
  const remember = memoize<undefined>(10, () => {
    computed += 1;
    return undefined;
  });
  remember('a');
  remember('a');
  assert.equal(computed, 1);
});

test('when it is full the oldest value goes', () => {
  const computed: string[] = [];
  const remember = memoize(2, (key) => computed.push(key));
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) remember(key);
  assert.deepEqual(computed, ['a', 'b', 'c', 'a']);
});
