/**
 * When what happens in a simulated year: how many purchases an hour has, and what the owner does on which day. It begins on the
 * day before clocks in Europe change, and has 29 February 2028 in it.
 */
import type { Chance } from '../machine/chance.ts';

const DAY_MS = 86_400_000;
export const YEAR_START = Date.UTC(2027, 2, 27);
export const YEAR_DAYS = 365;
/** The Friday after Thanksgiving. */
const BLACK_FRIDAY = Date.UTC(2027, 10, 26);
const BUSY_TIMES = 10;
/** Days without purchases. */
const IDLE = ['12-25', '01-01', '08-15'];
/** What an hour of a day has of its purchases, in UTC: few at night, most in the morning and in the evening. */
const SHARES = [8, 6, 5, 4, 4, 8, 20, 45, 70, 75, 60, 50, 48, 40, 38, 40, 48, 62, 80, 85, 72, 50, 30, 17];
const SHARE_OF_ALL = SHARES.reduce((sum, share) => sum + share, 0);

/** The hour of the night in which the owner reads the books of the day, and rotates keys. */
export const BOOK_HOUR = 4;

/** What the owner does, on which days: one of so many, from the first one on. */
const EVERY: Readonly<Record<Deed, { readonly days: number; readonly first: number }>> = {
  policy: { days: 7, first: 2 },
  restart: { days: 7, first: 6 },
  issuerKey: { days: 41, first: 1 },
  agentKey: { days: 29, first: 2 },
  apiKey: { days: 23, first: 1 },
  merchantKey: { days: 37, first: 2 },
  webhook: { days: 61, first: 3 },
  thief: { days: 41, first: 2 },
};

export type Deed =
  | 'policy'
  | 'restart'
  | 'issuerKey'
  | 'agentKey'
  | 'apiKey'
  | 'merchantKey'
  | 'webhook'
  /** A thief tries what was replaced the day before. */
  | 'thief';

/** @param day counted from 0 @returns milliseconds since the epoch at which it begins */
export function dayStart(day: number): number {
  return YEAR_START + day * DAY_MS;
}

export function deedsOf(day: number): readonly Deed[] {
  const names = Object.keys(EVERY) as Deed[];
  return names.filter((name) => day >= EVERY[name].first && (day - EVERY[name].first) % EVERY[name].days === 0);
}

/** How many times as much a day has. */
export function busyness(day: number): number {
  const date = new Date(dayStart(day));
  if (date.getTime() === BLACK_FRIDAY) return BUSY_TIMES;
  if (IDLE.includes(date.toISOString().slice(5, 10))) return 0;
  // A Sunday, when fewer buy, and a Saturday, when more do.
  return date.getUTCDay() === 0 ? 0.8 : date.getUTCDay() === 6 ? 1.25 : 1;
}

/** Purchases of each hour of a day. @param aDay of an ordinary day, on an average */
export function hoursOf(day: number, aDay: number, chance: Chance): readonly number[] {
  const wanted = busyness(day) * aDay * (0.9 + 0.2 * chance.fraction());
  return SHARES.map((share) => {
    const exact = (wanted * share) / SHARE_OF_ALL;
    return Math.floor(exact) + (chance.fraction() < exact % 1 ? 1 : 0);
  });
}
