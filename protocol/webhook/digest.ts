/** Digests: what a person is told of each week, when it is sent, and how it reads. Pure. */
import { z } from 'zod';
import { type DateClock, dateClockOf, startOfDay, Timezone, utcOf } from '../wire/timezone.ts';

export const DigestSchedule = z
  .object({
    weekday: z.int().min(1).max(7).default(1).describe('1 is Monday.'),
    hour: z.int().min(0).max(23).default(8),
    timezone: Timezone.default('UTC'),
  })
  .describe(
    'When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time.',
  );
export type DigestSchedule = z.output<typeof DigestSchedule>;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS = 7;
/** 1 January 1970 was a Thursday. */
const WEEKDAY_OF_FIRST = 4;

/** The next moment of a schedule after another one. Both are milliseconds since the epoch. */
export function nextDigest({ weekday, hour, timezone }: DigestSchedule, now: number): number {
  const clock = clockOf(timezone);
  const today = utcOf(clock.read(now)) / DAY_MS;
  for (let day = today; ; day += 1) {
    if (weekdayOf(day) !== weekday) continue;
    const moment = momentOf(clock, day, hour);
    if (moment > now) return moment;
  }
}

function weekdayOf(day: number): number {
  return ((((day + WEEKDAY_OF_FIRST - 1) % DAYS) + DAYS) % DAYS) + 1;
}

/** An hour of a day, also of one on which the clock was changed before it. */
function momentOf(clock: DateClock, day: number, hour: number): number {
  const start = startOfDay(clock, day);
  const moment = start + hour * HOUR_MS;
  return moment + clock.offsetAt(start) - clock.offsetAt(moment);
}

/** The numbers of the first and the last of the seven days before a moment's day. */
export function weekBefore(
  { timezone }: DigestSchedule,
  moment: number,
): { readonly first: number; readonly last: number } {
  const day = utcOf(clockOf(timezone).read(moment)) / DAY_MS;
  return { first: day - DAYS, last: day - 1 };
}

/** The first moment of a day and the last one, in milliseconds since the epoch. */
export function spanOf(
  { timezone }: DigestSchedule,
  { first, last }: { readonly first: number; readonly last: number },
): { readonly from: number; readonly to: number } {
  const clock = clockOf(timezone);
  return { from: startOfDay(clock, first), to: startOfDay(clock, last + 1) - 1 };
}

/** The schedule was checked when it was stored. */
function clockOf(timezone: string): DateClock {
  return dateClockOf(timezone) as DateClock;
}

/** What was spent by one agent or at one merchant, in one currency. Sums are texts with their currency's decimals. */
export interface DigestLine {
  readonly name: string;
  readonly currency: string;
  readonly payments: number;
  readonly paid: string;
  readonly refunded: string;
  /** Authorized, and not captured yet. */
  readonly held: string;
  /** Paid and held, less what came back. */
  readonly spent: string;
}

export interface Digest {
  readonly type: 'notice.digest';
  /** ISO 8601 dates, the last one included. */
  readonly from: string;
  readonly to: string;
  readonly payments: number;
  /** How many agents bought, and at how many merchants. */
  readonly agentCount: number;
  readonly merchantCount: number;
  readonly totals: readonly DigestLine[];
  /** Those of whom the most was taken first; the first ones alone. */
  readonly agents: readonly DigestLine[];
  readonly merchants: readonly DigestLine[];
  /** Limits of which little is left, a sentence each. */
  readonly limits: readonly string[];
  readonly refusals: { readonly count: number; readonly isMore: boolean };
}

/** So many lines of each kind are read in a message. */
const MOST_LINES = 5;

/** How a digest reads: counts alone, unless its reader asked for amounts and merchants. */
export function digestText(digest: Digest, details: boolean): string {
  const { payments, agentCount, merchantCount, limits, refusals } = digest;
  const bought =
    payments === 0
      ? 'no payments'
      : `${counted(payments, 'payment')} by ${counted(agentCount, 'agent')} at ${counted(merchantCount, 'merchant')}`;
  const refused = `${refusals.isMore ? 'more than ' : ''}${counted(refusals.count, 'refusal')}`;
  const summary = `${digest.from} to ${digest.to}: ${bought}, ${refused}, ${counted(limits.length, 'limit')} nearly used up.`;
  if (!details) return summary;
  const lines = [
    ...section('Spent', digest.totals, ({ spent }) => spent),
    ...section('By agent', digest.agents, named),
    ...section('By merchant', digest.merchants, named),
    ...(limits.length === 0 ? [] : ['', 'Limits', ...limits.slice(0, MOST_LINES)]),
  ];
  return [summary, ...lines].join('\n');
}

function section(title: string, lines: readonly DigestLine[], textOf: (line: DigestLine) => string): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - MOST_LINES;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  return ['', title, ...lines.slice(0, MOST_LINES).map(textOf), ...more];
}

function named({ name, spent }: DigestLine): string {
  return `${name}: ${spent}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
