/** The plan of a seeded month: what is drawn by a number, and what stands in every month. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHOPS, type Shop } from '../../../src/cli/seed/catalog.ts';
import { diceOf } from '../../../src/cli/seed/dice.ts';
import { ALONE_CENTS, planMonth, totalOf, WITH_PERSON_CENTS } from '../../../src/cli/seed/planMonth.ts';

const NOW = new Date(2026, 10, 26, 14, 20).getTime();
const DAY_MS = 24 * 3_600_000;
const plan = (seed: number, now = NOW) => planMonth(diceOf(seed), now);
const SEEDS = Array.from({ length: 200 }, (_, at) => at + 1);

describe('a seeded month', () => {
  test('is the same for the same number, and another one for another', () => {
    assert.deepEqual(plan(7), plan(7));
    assert.notDeepEqual(plan(7).purchases, plan(8).purchases);
  });

  test('has the same purchases whenever it is made, at other times', () => {
    const bought = (now: number) =>
      plan(7, now)
        .purchases.map(({ at: _, ...what }) => JSON.stringify(what))
        .toSorted();
    assert.deepEqual(bought(NOW), bought(NOW + 5 * 3_600_000));
    assert.deepEqual(bought(NOW), bought(NOW + 100 * DAY_MS));
  });

  test('lies in the last 30 days, begins with the oldest purchase, and ends some minutes ago', () => {
    for (const seed of SEEDS) {
      const { purchases, startsAt } = plan(seed);
      const times = purchases.map(({ at }) => at);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => one - other),
      );
      assert.ok(times.every((at) => at > startsAt && at < NOW - 60_000 && at > NOW - 31 * DAY_MS));
    }
  });

  test('has its purchases in the day, at an early hour of today too', () => {
    for (const now of [NOW, new Date(2026, 10, 26, 5, 2).getTime()]) {
      const old = plan(3, now).purchases.filter(({ at }) => at < now - 12 * 3_600_000);
      assert.ok(old.every(({ at }) => new Date(at).getHours() >= 7 && new Date(at).getHours() <= 21));
    }
  });

  test('asks a person where a total is above what an agent spends alone, and for what they may approve', () => {
    for (const seed of SEEDS) {
      const { purchases } = plan(seed);
      const paid = purchases.filter(({ ending }) => !['open', 'denied', 'expired', 'refused'].includes(ending.kind));
      const large = paid.filter((purchase) => totalOf(purchase) > ALONE_CENTS);
      assert.ok(large.length >= 5 && large.length <= 9, `${large.length} of seed ${seed}`);
      assert.ok(large.every((purchase) => totalOf(purchase) <= WITH_PERSON_CENTS));
      assert.ok(paid.every(({ items }) => items.length > 0));
      const odd = paid.filter(({ ending }) => ending.kind !== 'captured' && ending.kind !== 'held');
      assert.equal(odd.length, 11, `seed ${seed}`);
      assert.equal(paid.length, 129);
    }
  });

  test('is bought at shops of reserved domains', () => {
    for (const { domain, mcc } of Object.values<Shop>(SHOPS))
      assert.match(`${domain} ${mcc}`, /^[a-z-]+\.example \d{4}$/);
  });
});
