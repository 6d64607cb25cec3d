/** The calendar in a time zone: which day a moment is on, and when a day begins, on days on which clocks are changed too. */
import { z } from 'zod';
import { memoize } from './memoize.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Clocks are changed at a whole quarter of an hour, and by whole quarters. */
const QUARTER_MS = 15 * 60_000;

/** The name of a zone, in any letters (ECMA-402 section 6.5.1). */
export const Timezone = z
  .string()
  .max(100)
  .refine((zone) => dateClockOf(zone) !== undefined, 'must be an IANA time zone such as Europe/Berlin');

/** A day as numbers; months count from 1. Parts beyond their range are carried, as Date.UTC does. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface DateClock {
  read(time: number): CalendarDay;
  /** How far the zone's clock is ahead of UTC, in milliseconds. */
  offsetAt(time: number): number;
}

/** Midnight of a day in UTC, in milliseconds since the epoch. */
export function utcOf({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day);
}

/**
 * The first moment of a day. A clock that is changed at midnight may have that midnight twice, of which the first begins the day
 * unless it is the day before that comes again, or not at all: then the day begins with the change.
 */
export function firstMomentOf(clock: DateClock, asked: CalendarDay): number {
  return startOfDay(clock, utcOf(asked) / DAY_MS);
}

/** The first moment of a day. @param day its number, from 1970 on @returns milliseconds since the epoch */
export function startOfDay(clock: DateClock, day: number): number {
  const midnight = day * DAY_MS;
  const [former, next] = [midnight - DAY_MS, midnight + DAY_MS].map((time) => midnight - clock.offsetAt(time));
  const isThere = (time: number | undefined): time is number =>
    time !== undefined && time + clock.offsetAt(time) === midnight;
  const moments = [former, next].filter(isThere);
  return moments.length === 0 ? (former as number) : Math.min(...moments);
}

/** A time in which a zone's clock is not changed: milliseconds since the epoch, the end excluded, and how far it is ahead of UTC. */
export interface ClockSpan {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** The times between the changes of a zone's clock. Clocks that are changed twice are so with more than a week between. */
export function clockSpans(clock: DateClock, from: number, to: number): ClockSpan[] {
  const spans: ClockSpan[] = [];
  let start = from;
  let offset = clock.offsetAt(from);
  for (let time = from; time < to; time += WEEK_MS) {
    const next = Math.min(time + WEEK_MS, to);
    const changed = clock.offsetAt(next);
    if (changed === offset) continue;
    const change = changeBetween(clock, time, next);
    spans.push({ from: start, to: change, offset });
    start = change;
    offset = changed;
  }
  return start < to ? [...spans, { from: start, to, offset }] : spans;
}

/** When a clock is changed that is changed once between two times. */
export function changeBetween(clock: DateClock, before: number, after: number): number {
  const old = clock.offsetAt(before);
  let low = Math.floor(before / QUARTER_MS);
  let high = Math.ceil(after / QUARTER_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (clock.offsetAt(middle * QUARTER_MS) === old) low = middle;
    else high = middle;
  }
  return high * QUARTER_MS;
}

/** More than there are time zones, with the names that they had before. */
const CACHED_ZONES = 1000;

const clockOfZone = memoize(CACHED_ZONES, (timeZone): DateClock | undefined => {
  const format = formatOf(timeZone);
  if (format === undefined) return undefined;
  const partsAt = (time: number) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    return (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  };
  return {
    read(time) {
      const part = partsAt(time);
      return { year: part('year'), month: part('month'), day: part('day') };
    },
    offsetAt(time) {
      const part = partsAt(time);
      const local = Date.UTC(
        part('year'),
        part('month') - 1,
        part('day'),
        part('hour'),
        part('minute'),
        part('second'),
      );
      return local - Math.floor(time / SECOND_MS) * SECOND_MS;
    },
  };
});

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
  } catch {
    return undefined;
  }
}

/** @returns undefined where there is no such zone; some engines also accept offsets such as +01:00, which others do not */
export function dateClockOf(timezone: string): DateClock | undefined {
  return /^[a-z]/i.test(timezone) ? clockOfZone(timezone.toLowerCase()) : undefined;
}
