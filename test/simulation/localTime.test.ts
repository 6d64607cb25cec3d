/** The oracle's own local time agrees with the library's, in the years about, beside every change of clocks and elsewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { beginOf, localTime, ZONES_BY_LAW } from './oracle/localTime.ts';

const HOUR_MS = 3_600_000;
const FROM = Date.UTC(2024, 0, 1);
const TO = Date.UTC(2031, 0, 1);

const formats = new Map(
  ZONES_BY_LAW.map((timeZone) => {
    const format = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    return [timeZone, new Intl.DateTimeFormat('en-US', format)];
  }),
);

function byLibrary(zone: string, at: number): string {
  const parts = (formats.get(zone) as Intl.DateTimeFormat).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('weekday').toLowerCase()} ${part('hour')}:${part('minute')}`;
}

function byLaw(zone: string, at: number): string {
  const { day, time } = localTime(zone, at);
  return `${day} ${time}`;
}

test('local time by the laws of a zone is that of the library', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES_BY_LAW), fc.integer({ min: FROM, max: TO }), (zone, at) => {
      assert.equal(byLaw(zone, at), byLibrary(zone, at));
    }),
    { numRuns: 2000 },
  );
});

test('so it is in every half hour of the Sundays on which clocks may change', () => {
  for (const zone of ZONES_BY_LAW) {
    for (let at = Date.UTC(2027, 2, 1); at < Date.UTC(2028, 3, 1); at += HOUR_MS / 2) {
      const day = new Date(at).getUTCDay();
      if (day === 0 || day === 6)
        assert.equal(byLaw(zone, at), byLibrary(zone, at), `${zone} ${new Date(at).toISOString()}`);
    }
  }
});

test('an hour that is skipped has no time, and one that is there twice has its times twice', () => {
  const times = (from: number) =>
    Array.from({ length: 6 }, (_, half) => localTime('Europe/Berlin', from + (half * HOUR_MS) / 2).time);
  assert.deepEqual(times(Date.UTC(2027, 2, 28, 0)), ['01:00', '01:30', '03:00', '03:30', '04:00', '04:30']);
  assert.deepEqual(times(Date.UTC(2027, 9, 31, 0)), ['02:00', '02:30', '02:00', '02:30', '03:00', '03:30']);
});

test('a period begins at a local midnight of its zone: the last Monday, the first of the month, of the quarter, of the year', () => {
  const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
  const dates = new Map(
    ZONES_BY_LAW.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
    ]),
  );
  const isFirst = {
    day: () => true,
    week: (_: string, day: string) => day === 'mon',
    month: (date: string) => date.endsWith('-01'),
    quarter: (date: string) => /-(01|04|07|10)-01$/.test(date),
    year: (date: string) => date.endsWith('-01-01'),
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES_BY_LAW),
      fc.constantFrom(...PERIODS),
      fc.integer({ min: FROM, max: TO }),
      (zone, period, at) => {
        const begin = beginOf(period, zone, at);
        const dateOf = (time: number) => (dates.get(zone) as Intl.DateTimeFormat).format(time);
        const day = byLibrary(zone, begin).slice(0, 3);
        assert.equal(byLibrary(zone, begin).slice(4), '00:00');
        assert.ok(begin <= at && isFirst[period](dateOf(begin), day), `${dateOf(begin)} ${day}`);
        // No other beginning lies between.
        for (let time = begin + 24 * HOUR_MS; time <= at; time += 20 * HOUR_MS) {
          if (dateOf(time) === dateOf(begin)) continue;
          assert.ok(!isFirst[period](dateOf(time), byLibrary(zone, time).slice(0, 3)), `${dateOf(time)} in between`);
        }
      },
    ),
    { numRuns: 300 },
  );
});
