/** The maximal flow between what is bought and what is required equals the best assignment that trying all of them finds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mostAssigned } from '../../../protocol/sdjwt/lineItems.ts';

const ITEMS = ['a', 'b', 'c'];
const bought = fc.array(fc.tuple(fc.constantFrom(...ITEMS), fc.integer({ min: 0, max: 3 })), { maxLength: 3 });
const required = fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 3 }), ids: fc.subarray(ITEMS) }), {
  maxLength: 3,
});

test('as many items find a place as the best of all assignments has', () => {
  fc.assert(
    fc.property(bought, required, (lines, places) => {
      const requirements = places.map(({ quantity, ids }) => ({ quantity, acceptable: new Set(ids) }));
      const single = [...new Map(lines)].flatMap(([item, quantity]) => Array.from({ length: quantity }, () => item));
      assert.equal(
        mostAssigned(new Map(lines), requirements),
        bestOf(
          single,
          requirements.map(({ quantity }) => quantity),
          requirements.map(({ acceptable }) => acceptable),
        ),
      );
    }),
  );
});

/** Tries every place for every item, and no place. */
function bestOf(items: readonly string[], left: readonly number[], acceptable: readonly ReadonlySet<string>[]): number {
  const [item, ...rest] = items;
  if (item === undefined) return 0;
  const placed = left.flatMap((free, place) =>
    free > 0 && acceptable[place]?.has(item) === true ? [1 + bestOf(rest, left.with(place, free - 1), acceptable)] : [],
  );
  return Math.max(bestOf(rest, left, acceptable), ...placed);
}

test('a hundred lines against a hundred requirements of large quantities take less than a second of CPU', () => {
  const ids = Array.from({ length: 100 }, (_, index) => `item-${index}`);
  const lines = new Map(ids.map((id, index) => [id, 1_000_000_007 * (index + 1)]));
  const requirements = ids.map((_, index) => ({ quantity: 999_999_937 * (100 - index), acceptable: new Set(ids) }));
  const start = process.cpuUsage();
  assert.ok(mostAssigned(lines, requirements) > 0);
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 1_000_000, `${user + system} µs`);
});
