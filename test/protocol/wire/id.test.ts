/** Ids: they sort in the order in which they were made, whatever the clock does. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstIdAt, idMaker, isId, timeOfId } from '../../../protocol/wire/id.ts';

const START = Date.UTC(2026, 5, 1);
const DAY_MS = 24 * 3600 * 1000;

/** Steps of a clock that together go back by less than a day. */
const steps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -3_600_000, max: 3_600_000 })), { maxLength: 20 });

test('ids sort in the order in which they were made, within a millisecond and after the clock was set back', () => {
  fc.assert(
    fc.property(
      steps,
      fc.array(fc.constantFrom('intent_', 'pm_', 'evt_'), { minLength: 1, maxLength: 50 }),
      (clock, kinds) => {
        let now = START;
        const newId = idMaker(() => now, randomBytes);
        const made: string[] = [];
        for (const step of [0, ...clock]) {
          now += step;
          for (const kind of kinds) made.push(newId(kind));
        }
        const bare = made.map((id) => id.slice(id.indexOf('_') + 1));
        assert.deepEqual(bare, bare.toSorted());
        assert.equal(new Set(bare).size, bare.length);
        for (const [index, id] of made.entries()) assert.ok(isId(kinds[index % kinds.length] as string, id), id);
      },
    ),
  );
});

test('an id is not before the first of its time, and only as far after it as the clock was set back', () => {
  let now = START;
  const newId = idMaker(() => now, randomBytes);
  assert.ok(newId('pm_') >= firstIdAt('pm_', START));
  now += 1;
  const next = newId('pm_');
  assert.ok(next >= firstIdAt('pm_', now) && next < firstIdAt('pm_', now + 1));
  now += 2 * DAY_MS;
  newId('pm_');
  now -= 2 * DAY_MS - 5;
  const back = newId('pm_');
  assert.ok(back >= firstIdAt('pm_', now) && back < firstIdAt('pm_', now + 1), 'a wrong time is not kept for ever');
});

test('an id tells the millisecond in which it was made', () => {
  for (const time of [0, 31, START, START + 1, 2 ** 48 - 1]) {
    assert.equal(timeOfId(idMaker(() => time, randomBytes)('intent_')), time);
    assert.equal(timeOfId(firstIdAt('pm_', time)), time);
  }
});

test('more ids than a millisecond can count still sort, and no id tells the next', () => {
  const newId = idMaker(() => START, randomBytes);
  let last = '';
  const tails = new Set<string>();
  for (let made = 0; made < 70_000; made++) {
    const id = newId('x_');
    assert.ok(id > last);
    last = id;
    tails.add(id.slice(-12));
  }
  assert.equal(tails.size, 70_000, 'eight bytes of each are random');
});
