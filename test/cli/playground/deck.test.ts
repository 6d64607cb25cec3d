/** What happens in the playground, and how often. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deal } from '../../../src/cli/playground/deck.ts';
import { diceOf } from '../../../src/cli/seed/dice.ts';

test('a deal begins with two plain purchases, and then has each story in every eighteen', () => {
  for (const seed of [1, 2, 3]) {
    const stories = deal(diceOf(seed));
    const take = (count: number) => Array.from({ length: count }, () => stories.next().value);
    assert.deepEqual(take(2), ['alone', 'alone']);
    for (let round = 0; round < 3; round += 1) {
      const dealt = take(18);
      assert.equal(new Set(dealt).size, 9);
      assert.equal(dealt.filter((story) => story === 'alone').length, 9);
    }
  }
});
