/** Time windows, in the local time of a time zone. */
import { z } from 'zod';
import { memoize } from '../../wire/memoize.ts';
import { changeBetween, type DateClock, dateClockOf } from '../../wire/timezone.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Day = (typeof DAYS)[number];
const DAY_BEFORE = Object.fromEntries(DAYS.map((day, i) => [day, DAYS.at(i - 1)])) as Record<Day, Day>;

/** More than there are time zones, with the names that they had before. */
const CACHED_ZONES = 1000;

/** By a name in small letters, which means the same zone in any (ECMA-402 section 6.5.1); undefined where there is no such zone. */
const clockOf = memoize(CACHED_ZONES, (timeZone) => {
  try {
    // Intl applies the zone's rules, including daylight saving: 02:30 may occur twice or not at all on a day.
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  } catch {
    return undefined;
  }
});

function wallClock(timeZone: string): Intl.DateTimeFormat | undefined {
  // Some engines also accept offsets such as +01:00, which others do not.
  return /^[a-z]/i.test(timeZone) ? clockOf(timeZone.toLowerCase()) : undefined;
}

/** `from` is inclusive, `to` is exclusive; a window whose `to` is earlier continues past midnight. */
export const TimeWindow = z
  .strictObject({
    /** The days on which the window opens; every day when absent. */
    days: z.array(z.enum(DAYS)).min(1).max(7).optional(),
    from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59'),
    to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00'),
    timezone: z.string().max(100).refine(wallClock, 'must be an IANA time zone such as Europe/Berlin'),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'is the same as from; a whole day is 00:00 to 24:00',
  });
export type TimeWindow = z.infer<typeof TimeWindow>;

export interface CompiledWindow {
  readonly days: ReadonlySet<Day>;
  /** Minutes after midnight. */
  readonly from: number;
  readonly to: number;
  readonly timezone: string;
  readonly clock: Intl.DateTimeFormat;
}

export function compileWindow({ days, from, to, timezone }: TimeWindow): CompiledWindow {
  const clock = wallClock(timezone) as Intl.DateTimeFormat;
  return { days: new Set(days ?? DAYS), from: minutesOf(from), to: minutesOf(to), timezone, clock };
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** @param clock of wallClock, whose text is "Mon 14:05" or, depending on the engine's locale data, "Mon, 14:05" */
export function readClock(clock: Intl.DateTimeFormat, now: number): { day: Day; time: string } {
  const text = clock.format(now);
  return { day: text.slice(0, 3).toLowerCase() as Day, time: text.slice(-5) };
}

interface LocalTime {
  readonly day: Day;
  readonly minute: number;
}

function localTime(clock: Intl.DateTimeFormat, now: number): LocalTime {
  const { day, time } = readClock(clock, now);
  return { day, minute: minutesOf(time) };
}

function isInside({ days, from, to }: CompiledWindow, { day, minute }: LocalTime): boolean {
  if (from < to) return days.has(day) && minute >= from && minute < to;
  return (days.has(day) && minute >= from) || (days.has(DAY_BEFORE[day]) && minute < to);
}

const MINUTE_MS = 60_000;
/** Of so many minutes it is kept whether windows are open: the search for what would pass asks of few again and again. */
const KEPT_MINUTES = 16;
const kept = new WeakMap<readonly CompiledWindow[], Map<number, boolean>>();

/** Windows open and close on whole minutes. */
export function isOpen(windows: readonly CompiledWindow[], now: number): boolean {
  const minutes = kept.get(windows) ?? new Map<number, boolean>();
  kept.set(windows, minutes);
  const minute = Math.floor(now / MINUTE_MS);
  const known = minutes.get(minute) ?? isOpenNow(windows, now);
  if (minutes.size >= KEPT_MINUTES) minutes.clear();
  minutes.set(minute, known);
  return known;
}

/** Each zone's clock is read once, however many windows are in it. */
function isOpenNow(windows: readonly CompiledWindow[], now: number): boolean {
  const times = new Map<Intl.DateTimeFormat, LocalTime>();
  return windows.some((window) => {
    const time = times.get(window.clock) ?? localTime(window.clock, now);
    times.set(window.clock, time);
    return isInside(window, time);
  });
}

const DAY_MS = 24 * 3600 * 1000;
/** Every window opens within a week; a change of the clock may skip an opening, and the one a week later is past the change. */
const MOST_DAYS = 15;

/** Whether a window lies within one of a list by every clock: on its days, and between its times in the same zone. */
export function windowsCover(list: readonly TimeWindow[]): (window: TimeWindow) => boolean {
  const byZone = new Map<string, Span[]>();
  for (const window of list) {
    const spans = byZone.get(window.timezone) ?? [];
    byZone.set(window.timezone, spans);
    spans.push(spanOf(window));
  }
  return (window) => {
    const { days, from, to } = spanOf(window);
    const isWider = (span: Span) =>
      (days & ~span.days) === 0 && span.from > span.to === from > to && span.from <= from && to <= span.to;
    return byZone.get(window.timezone)?.some(isWider) === true;
  };
}

/** A window in numbers: a bit for each of its days, and minutes after midnight. */
interface Span {
  readonly days: number;
  readonly from: number;
  readonly to: number;
}

function spanOf({ days, from, to }: TimeWindow): Span {
  let bits = 0;
  for (const day of days ?? DAYS) bits |= 1 << DAYS.indexOf(day);
  return { days: bits, from: minutesOf(from), to: minutesOf(to) };
}

/**
 * The first moment from one on that lies in a window: that moment, or the next opening. A window opens at its `from`, or where
 * the zone's clock is changed into it.
 * @returns undefined where none opens for two weeks
 */
export function nextInside(windows: readonly CompiledWindow[], from: number): number | undefined {
  if (windows.length === 0 || isOpen(windows, from)) return from;
  const days = Array.from({ length: MOST_DAYS + 1 }, (_, day) => from + day * DAY_MS);
  const names = new Set(windows.map(({ timezone }) => timezone));
  const zones = new Map([...names].map((timezone) => [timezone, clockOver(dateClockOf(timezone) as DateClock, days)]));
  const openings = windows.flatMap((window) => {
    const { offsets, changes } = zones.get(window.timezone) as ZoneClock;
    const regular = offsets.flatMap((offset) => days.flatMap((day) => openingOn(window, day, offset)));
    return [...regular, ...changes].map((time) => ({ time, window }));
  });
  const later = openings.filter(({ time }) => time > from).sort((one, other) => one.time - other.time);
  return later.find(({ time, window }) => isInside(window, localTime(window.clock, time)))?.time;
}

/** When a window opens on the day of a time, by a clock that is so far ahead of UTC. */
function openingOn(window: CompiledWindow, time: number, offset: number): number[] {
  const localDay = Math.floor((time + offset) / DAY_MS);
  // The epoch was a Thursday.
  const day = DAYS[(localDay + 3) % 7] as Day;
  return window.days.has(day) ? [localDay * DAY_MS + window.from * MINUTE_MS - offset] : [];
}

interface ZoneClock {
  /** How far the zone's clock is ahead of UTC, each amount that it is in that time. */
  readonly offsets: readonly number[];
  /** When it is changed. */
  readonly changes: readonly number[];
}

function clockOver(clock: DateClock, days: readonly number[]): ZoneClock {
  const offsets = days.map((day) => clock.offsetAt(day));
  const changes = days.flatMap((day, index) => {
    const before = days[index - 1];
    return before === undefined || offsets[index - 1] === offsets[index] ? [] : [changeBetween(clock, before, day)];
  });
  return { offsets: [...new Set(offsets)], changes };
}
