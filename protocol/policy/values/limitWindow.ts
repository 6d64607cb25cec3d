/** How far back a limit counts: a duration that slides with the time, or a period of the calendar in a time zone. */
import { z } from 'zod';
import { type CalendarDay, type DateClock, dateClockOf, firstMomentOf, utcOf } from '../../wire/timezone.ts';
import { describeDuration, parseDurationMs, readDurationMs } from './duration.ts';

const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
type Period = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;
/** The longest that a limit may slide over: a leap year. */
export const MAX_LIMIT_MS = 366 * DAY_MS;

const isPeriod = (text: string): text is Period => (PERIODS as readonly string[]).includes(text);

export const WindowText = z
  .string()
  .refine(
    (text) => isPeriod(text) || readDurationMs(text, MAX_LIMIT_MS) !== undefined,
    `must be ${PERIODS.join(', ')}, or a duration such as 24h, at most 366d`,
  );

/** Whether a window slides, so that no time zone has a meaning for it. */
export function slides(window: string): boolean {
  return !isPeriod(window);
}

export interface LimitWindow {
  /** As the limit says it, such as `24h` or `month`. */
  readonly text: string;
  /** Of the calendar alone. */
  readonly timezone?: string;
  /** "within 1 day", "this month (Asia/Tokyo)". */
  readonly phrase: string;
  /** The first millisecond that counts at a time. */
  beginsAt(now: number): number;
  /** When the present period ends; undefined for a window that slides. */
  endsAt(now: number): number | undefined;
  /** When what was bought at a time counts no more. */
  leavesAt(at: number): number;
}

const PHRASES: Readonly<Record<Period, string>> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
  quarter: 'this quarter',
  year: 'this year',
};

/** @param text as WindowText took it @param timezone as Timezone took it; UTC when left out */
export function compileLimitWindow(text: string, timezone = 'UTC'): LimitWindow {
  if (!isPeriod(text)) return slidingWindow(text, parseDurationMs(text, MAX_LIMIT_MS));
  const clock = dateClockOf(timezone) as DateClock;
  let known: Span | undefined;
  // The same period is asked for again and again.
  const spanAt = (time: number) => {
    if (known === undefined || time < known.from || time >= known.to) known = periodAt(clock, text, time);
    return known;
  };
  return {
    text,
    timezone,
    phrase: `${PHRASES[text]}${timezone === 'UTC' ? '' : ` (${timezone})`}`,
    beginsAt: (now) => spanAt(now).from,
    endsAt: (now) => spanAt(now).to,
    leavesAt: (at) => spanAt(at).to,
  };
}

/** A window of a fixed length that ends now. @param ms its length in milliseconds */
export function slidingWindow(text: string, ms: number): LimitWindow {
  return {
    text,
    phrase: `within ${describeDuration(ms)}`,
    beginsAt: (now) => now - ms + 1,
    endsAt: () => undefined,
    leavesAt: (at) => at + ms,
  };
}

/** Milliseconds since the epoch, the end excluded. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function periodAt(clock: DateClock, period: Period, time: number): Span {
  const today = clock.read(time);
  const { year, month, day } = today;
  const quarter = month - ((month - 1) % 3);
  const weekday = (new Date(utcOf(today)).getUTCDay() + 6) % 7;
  const spans: Readonly<Record<Period, readonly [CalendarDay, CalendarDay]>> = {
    day: [today, { year, month, day: day + 1 }],
    week: [
      { year, month, day: day - weekday },
      { year, month, day: day - weekday + 7 },
    ],
    month: [
      { year, month, day: 1 },
      { year, month: month + 1, day: 1 },
    ],
    quarter: [
      { year, month: quarter, day: 1 },
      { year, month: quarter + 3, day: 1 },
    ],
    year: [
      { year, month: 1, day: 1 },
      { year: year + 1, month: 1, day: 1 },
    ],
  };
  const [from, to] = spans[period];
  return { from: firstMomentOf(clock, from), to: firstMomentOf(clock, to) };
}
