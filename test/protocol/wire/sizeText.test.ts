/** Numbers of bytes as people read them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeText } from '../../../protocol/wire/sizeText.ts';

test('a size is a number of at most one decimal in the largest unit of a thousand that it reaches', () => {
  const texts = [0, 999, 1000, 1234, 999_949, 12_300_000, 2 ** 30, 5e15].map(sizeText);
  assert.deepEqual(texts, ['0 bytes', '999 bytes', '1 kB', '1.2 kB', '999.9 kB', '12.3 MB', '1.1 GB', '5,000 TB']);
});
