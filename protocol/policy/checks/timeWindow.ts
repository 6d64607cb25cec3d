/** Time windows, in the local time of a time zone. */
import { z } from 'zod';
import type { Check } from '../check.ts';
import type { Rules } from '../rules.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Day = (typeof DAYS)[number];
const DAY_BEFORE = Object.fromEntries(DAYS.map((day, i) => [day, DAYS.at(i - 1)])) as Record<Day, Day>;

function isTimeZone(name: string): boolean {
  // Some engines also accept offsets such as +01:00, which others do not.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** `from` is inclusive, `to` is exclusive; a window whose `to` is earlier continues past midnight. */
export const TimeWindow = z
  .strictObject({
    /** The days on which the window opens; every day when absent. */
    days: z.array(z.enum(DAYS)).min(1).max(7).optional(),
    from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59'),
    to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00'),
    timezone: z.string().max(100).refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin'),
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

export function compileWindows(rules: Rules['context']): readonly CompiledWindow[] {
  const clocks = new Map<string, Intl.DateTimeFormat>();
  return (rules?.time_windows ?? []).map(({ days, from, to, timezone }) => {
    const clock = clocks.get(timezone) ?? wallClock(timezone);
    clocks.set(timezone, clock);
    return { days: new Set(days ?? DAYS), from: minutesOf(from), to: minutesOf(to), timezone, clock };
  });
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

// Intl applies the zone's rules, including daylight saving: 02:30 may occur twice or not at all on a day.
function wallClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

/** @param clock of wallClock, whose text is "Mon 14:05" or, depending on the engine's locale data, "Mon, 14:05" */
function readClock(clock: Intl.DateTimeFormat, now: number): { day: Day; time: string } {
  const text = clock.format(now);
  return { day: text.slice(0, 3).toLowerCase() as Day, time: text.slice(-5) };
}

function isInside({ days, from, to, clock }: CompiledWindow, now: number): boolean {
  const { day, time } = readClock(clock, now);
  const minute = minutesOf(time);
  if (from < to) return days.has(day) && minute >= from && minute < to;
  return (days.has(day) && minute >= from) || (days.has(DAY_BEFORE[day]) && minute < to);
}

export const checkWindows: Check = ({ policy: { windows }, now }) => {
  const first = windows[0];
  if (first === undefined || windows.some((window) => isInside(window, now))) return undefined;
  const { day, time } = readClock(first.clock, now);
  return {
    message: `It is ${day} ${time} in ${first.timezone}, outside the times at which the policy allows purchases.`,
  };
};
