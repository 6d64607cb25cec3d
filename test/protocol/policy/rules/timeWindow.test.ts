/** Time windows on the wall clock: edges, nights, zones and the two odd days of the year. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compilePolicy } from '../../../../protocol/policy/compile.ts';
import { isOpen, nextInside, type TimeWindow } from '../../../../protocol/policy/values/timeWindow.ts';
import { codesOf, judge, rulesOf } from '../judge.ts';

const office: TimeWindow = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00', timezone: 'UTC' };
const fridayNight: TimeWindow = { days: ['fri'], from: '22:00', to: '06:00', timezone: 'UTC' };
const sundayNight: TimeWindow = { days: ['sun'], from: '22:00', to: '06:00', timezone: 'UTC' };
const evening: TimeWindow = { from: '18:00', to: '24:00', timezone: 'UTC' };
const small: TimeWindow = { from: '02:00', to: '03:00', timezone: 'Europe/Berlin' };
const newYork: TimeWindow = { days: ['mon'], from: '00:00', to: '24:00', timezone: 'America/New_York' };

describe('a purchase in a time window', () => {
  // 2025-01-13 is a Monday.
  const cases: [string, TimeWindow[], string, boolean][] = [
    ['is inside at its first moment', [office], '2025-01-13T09:00:00.000Z', true],
    ['is outside one millisecond before', [office], '2025-01-13T08:59:59.999Z', false],
    ['is inside at its last moment', [office], '2025-01-13T16:59:59.999Z', true],
    ['is outside at its end', [office], '2025-01-13T17:00:00.000Z', false],
    ['is outside on another day', [office], '2025-01-18T12:00:00.000Z', false],
    ['is inside up to midnight', [evening], '2025-01-13T23:59:59.999Z', true],
    ['is outside from midnight', [evening], '2025-01-14T00:00:00.000Z', false],
    ['is inside late on the day a night begins', [fridayNight], '2025-01-17T22:00:00.000Z', true],
    ['is inside early on the day a night ends', [fridayNight], '2025-01-18T05:59:59.999Z', true],
    ['is outside when a night has ended', [fridayNight], '2025-01-18T06:00:00.000Z', false],
    ['is outside early on the day a night begins', [fridayNight], '2025-01-17T05:00:00.000Z', false],
    ['is outside late on the day a night ends', [fridayNight], '2025-01-18T22:00:00.000Z', false],
    ['is inside a night from Sunday to Monday', [sundayNight], '2025-01-13T01:00:00.000Z', true],
    ['is inside one of several windows', [office, fridayNight], '2025-01-18T01:00:00.000Z', true],
    ['is outside all of several windows', [office, fridayNight], '2025-01-18T12:00:00.000Z', false],
    ['is allowed at any time without windows', [], '2025-01-18T12:00:00.000Z', true],
    ['has the day of the zone, which is still Monday there', [newYork], '2025-01-14T04:59:59.999Z', true],
    ['has the day of the zone, which is still Sunday there', [newYork], '2025-01-13T04:59:59.999Z', false],
    ['is inside at 02:00 winter time', [small], '2025-01-13T01:00:00.000Z', true],
    ['is inside at 02:00 summer time', [small], '2025-07-14T00:30:00.000Z', true],
    ['is outside at 03:00 summer time', [small], '2025-07-14T01:30:00.000Z', false],
    ['is outside just before an hour that is skipped', [small], '2025-03-30T00:59:59.999Z', false],
    ['is outside just after an hour that is skipped', [small], '2025-03-30T01:00:00.000Z', false],
    ['is inside an hour that comes twice, at first', [small], '2025-10-26T00:30:00.000Z', true],
    ['is inside an hour that comes twice, again', [small], '2025-10-26T01:30:00.000Z', true],
    ['is outside when that hour is over', [small], '2025-10-26T02:00:00.000Z', false],
    [
      'follows a zone of half hours',
      [{ from: '12:00', to: '12:30', timezone: 'Asia/Kolkata' }],
      '2025-01-13T06:30:00.000Z',
      true,
    ],
  ];
  for (const [name, time_windows, at, inside] of cases) {
    test(name, () => {
      const codes = codesOf({ context: { time_windows } }, { now: Date.parse(at) });
      assert.deepEqual(codes, inside ? [] : ['TIME_WINDOW_VIOLATED']);
    });
  }

  test('is told the time that it was where the policy looks', () => {
    const now = Date.parse('2025-01-13T03:15:00Z');
    const { details } = judge(
      { context: { time_windows: [{ ...office, timezone: 'Asia/Tokyo', from: '13:00' }] } },
      { now },
    );
    assert.equal(
      details.TIME_WINDOW_VIOLATED?.message,
      'It is mon 12:15 in Asia/Tokyo, outside the times at which the policy allows purchases.',
    );
  });
});

test('the next opening is the first minute that the check allows, also around changes of the clock', () => {
  const MINUTE_MS = 60_000;
  const time = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom('00', '07', '30', '59') });
  const text = ({ hour, minute }: { hour: number; minute: string }) => `${String(hour).padStart(2, '0')}:${minute}`;
  const window = fc
    .record({
      days: fc.option(fc.uniqueArray(fc.constantFrom(...(['mon', 'sat', 'sun'] as const)), { minLength: 1 })),
      from: time,
      to: time,
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo'),
    })
    .filter(({ from, to }) => text(from) !== text(to))
    .map(({ days, from, to, timezone }): TimeWindow => {
      return { ...(days === null ? {} : { days }), from: text(from), to: text(to), timezone };
    });
  // Shortly before clocks are changed in one of these zones, or at any time.
  const start = fc.oneof(
    fc.constantFrom(
      '2025-03-29T12:00Z',
      '2025-10-25T20:31Z',
      '2025-04-05T00:00Z',
      '2025-04-24T15:00Z',
      '2025-11-01T01:00Z',
    ),
    fc.integer({ min: 0, max: 500 }).map((hours) => new Date(Date.UTC(2025, 8, 20, hours)).toISOString()),
  );
  fc.assert(
    fc.property(fc.array(window, { minLength: 1, maxLength: 2 }), start, (time_windows, begin) => {
      const { windows } = compilePolicy(rulesOf({ context: { time_windows } }));
      const from = Date.parse(begin);
      let walked = from;
      while (!isOpen(windows, walked)) walked += MINUTE_MS;
      assert.equal(nextInside(windows, from), walked, new Date(walked).toISOString());
    }),
    { numRuns: 150 },
  );
});
