/** Figures of a verification as people read them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, rate } from '../../console/screens/evidence/figures.ts';

test('a rate has two digits that say something, and is not told of what was over at once', () => {
  assert.equal(rate({ events: 146, ms: 249 }), '');
  assert.equal(rate({ events: 123_456, ms: 2000 }), ', 62,000 events a second');
  assert.equal(rate({ events: 90, ms: 10_000 }), ', 9 events a second');
});

test('a duration is in milliseconds below a second', () => {
  assert.deepEqual([0.2, 249, 1234, 61_000].map(duration), ['1 ms', '249 ms', '1.2 s', '61.0 s']);
});
