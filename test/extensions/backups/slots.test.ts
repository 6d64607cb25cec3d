/** When scheduled backups are due. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextDue, slotBefore } from '../../../src/extensions/backups/slots.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const told = (time: number) => new Date(time).toISOString().slice(0, 16);

describe('a backup is due', () => {
  const cases = [
    { every: 'hour', hour: 5, now: '2026-05-12T10:59:59', slot: '2026-05-12T10:00' },
    { every: 'day', hour: 2, now: '2026-05-12T02:00:00', slot: '2026-05-12T02:00' },
    { every: 'day', hour: 2, now: '2026-05-12T01:59:59', slot: '2026-05-11T02:00' },
    { every: 'day', hour: 23, now: '2026-03-01T00:30:00', slot: '2026-02-28T23:00' },
    // 11 May 2026 is a Monday.
    { every: 'week', hour: 2, now: '2026-05-17T23:59:59', slot: '2026-05-11T02:00' },
    { every: 'week', hour: 2, now: '2026-05-11T01:00:00', slot: '2026-05-04T02:00' },
  ] as const;
  for (const { every, hour, now, slot } of cases) {
    test(`each ${every} at ${hour}: at ${now} since ${slot}`, () => {
      assert.equal(told(slotBefore({ every, hour }, at(now))), slot);
    });
  }
});

describe('the next backup', () => {
  const nightly = { every: 'day', hour: 2 } as const;
  const now = at('2026-05-12T10:00:00');

  test('is made at once where there is none, and where one was missed while the node was down', () => {
    assert.equal(nextDue(nightly, undefined, now), now);
    assert.equal(nextDue(nightly, at('2026-05-11T02:00:30'), now), now);
  });

  test('waits for its hour where one was made since', () => {
    assert.equal(told(nextDue(nightly, at('2026-05-12T02:00:30'), now)), '2026-05-13T02:00');
    assert.equal(told(nextDue(nightly, at('2026-05-12T09:59:00'), now)), '2026-05-13T02:00');
  });

  test('is made though the last one has a time to come, since the clock was set back', () => {
    assert.equal(nextDue(nightly, at('2027-01-01T00:00:00'), now), now);
    assert.equal(told(nextDue(nightly, at('2026-05-12T10:00:05'), now)), '2026-05-13T02:00', 'a second is nothing');
  });
});
