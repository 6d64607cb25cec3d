/** How far back limits count: periods of the calendar in any time zone, on days on which clocks are changed too. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileLimitWindow, WindowText } from '../../../protocol/policy/values/limitWindow.ts';
import { Timezone } from '../../../protocol/wire/timezone.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The period around a time, as text. */
function span(text: string, timezone: string | undefined, at: string): string[] {
  const window = compileLimitWindow(text, timezone);
  const now = Date.parse(at);
  return [window.beginsAt(now), Number(window.endsAt(now))].map((time) => new Date(time).toISOString().slice(0, 16));
}

describe('a period of the calendar', () => {
  test('is the day, the week from Monday, the month, the quarter and the year around a moment', () => {
    const at = '2027-02-17T12:00Z';
    assert.deepEqual(span('day', undefined, at), ['2027-02-17T00:00', '2027-02-18T00:00']);
    assert.deepEqual(span('week', undefined, at), ['2027-02-15T00:00', '2027-02-22T00:00']);
    assert.deepEqual(span('month', undefined, at), ['2027-02-01T00:00', '2027-03-01T00:00']);
    assert.deepEqual(span('quarter', undefined, at), ['2027-01-01T00:00', '2027-04-01T00:00']);
    assert.deepEqual(span('year', undefined, at), ['2027-01-01T00:00', '2028-01-01T00:00']);
    // A Sunday ends its week, and a week goes over the end of a year.
    assert.deepEqual(span('week', undefined, '2027-01-03T23:59Z'), ['2026-12-28T00:00', '2027-01-04T00:00']);
    assert.deepEqual(span('month', undefined, '2028-02-29T00:00Z'), ['2028-02-01T00:00', '2028-03-01T00:00']);
  });

  test('begins at midnight of its zone, to the quarter of an hour', () => {
    assert.deepEqual(span('day', 'Asia/Tokyo', '2027-03-14T14:59Z'), ['2027-03-13T15:00', '2027-03-14T15:00']);
    assert.deepEqual(span('day', 'Asia/Kathmandu', '2027-03-14T12:00Z'), ['2027-03-13T18:15', '2027-03-14T18:15']);
    assert.deepEqual(span('month', 'Pacific/Kiritimati', '2027-03-31T11:00Z'), [
      '2027-03-31T10:00',
      '2027-04-30T10:00',
    ]);
    assert.deepEqual(span('day', 'Pacific/Niue', '2027-03-14T10:59Z'), ['2027-03-13T11:00', '2027-03-14T11:00']);
  });

  test('has 23 hours where the clock goes forward, and 25 where it goes back', () => {
    assert.deepEqual(span('day', 'America/New_York', '2027-03-14T12:00Z'), ['2027-03-14T05:00', '2027-03-15T04:00']);
    assert.deepEqual(span('day', 'America/New_York', '2027-11-07T12:00Z'), ['2027-11-07T04:00', '2027-11-08T05:00']);
    assert.deepEqual(span('quarter', 'Europe/Berlin', '2027-02-17T12:00Z'), ['2026-12-31T23:00', '2027-03-31T22:00']);
  });

  test('begins with the change where the clock has no midnight, and once where it has two', () => {
    // Santiago goes from 24:00 to 01:00, and from 24:00 back to 23:00.
    assert.deepEqual(span('day', 'America/Santiago', '2026-09-06T12:00Z'), ['2026-09-06T04:00', '2026-09-07T03:00']);
    assert.deepEqual(span('day', 'America/Santiago', '2027-04-03T12:00Z'), ['2027-04-03T03:00', '2027-04-04T04:00']);
    // Havana goes from 01:00 back to 00:00: its Sunday begins with the first of them.
    assert.deepEqual(span('day', 'America/Havana', '2026-11-01T12:00Z'), ['2026-11-01T04:00', '2026-11-02T05:00']);
    // Samoa had no 30 December 2011.
    assert.deepEqual(span('day', 'Pacific/Apia', '2011-12-29T12:00Z'), ['2011-12-29T10:00', '2011-12-30T10:00']);
  });

  test('holds every moment in it, and the next one begins where it ends', () => {
    const zones = [
      'UTC',
      'America/New_York',
      'Asia/Kathmandu',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Africa/Cairo',
    ];
    const moment = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) });
    const period = fc.constantFrom('day', 'week', 'month', 'quarter', 'year');
    fc.assert(
      fc.property(fc.constantFrom(...zones), period, moment, (zone, text, now) => {
        const window = compileLimitWindow(text, zone);
        const [from, to] = [window.beginsAt(now), Number(window.endsAt(now))];
        assert.ok(from <= now && now < to);
        assert.equal(window.beginsAt(to), to);
        assert.equal(window.endsAt(from - 1), from);
        assert.equal(window.leavesAt(now), to);
        const days = {
          day: [0.9, 1.1],
          week: [6.9, 7.1],
          month: [27.9, 31.1],
          quarter: [89.9, 92.1],
          year: [364.9, 366.1],
        };
        const [least, most] = days[text as keyof typeof days] as [number, number];
        assert.ok((to - from) / DAY > least && (to - from) / DAY < most);
      }),
      { numRuns: 500 },
    );
  });
});

test('a duration slides: what was bought leaves it so long after', () => {
  const window = compileLimitWindow('90m');
  assert.deepEqual([window.beginsAt(10 * HOUR), window.endsAt(10 * HOUR)], [8.5 * HOUR + 1, undefined]);
  assert.equal(window.leavesAt(HOUR), 2.5 * HOUR);
  assert.equal(window.phrase, 'within 90 minutes');
});

test('periods, durations of up to 366 days and zones with a name are windows, and nothing else is', () => {
  for (const text of ['day', 'week', 'month', 'quarter', 'year', '1s', '366d']) {
    assert.ok(WindowText.safeParse(text).success, text);
  }
  for (const text of ['', 'Month', 'decade', '367d', '0d', '1y', '-1d', 'toString']) {
    assert.ok(!WindowText.safeParse(text).success, text);
  }
  for (const zone of ['UTC', 'Europe/Berlin', 'asia/tokyo']) assert.ok(Timezone.safeParse(zone).success, zone);
  for (const zone of ['', '+01:00', 'Mars/Olympus', 'Europe']) assert.ok(!Timezone.safeParse(zone).success, zone);
});
