/**
 * Local time by hand: when summer time begins and ends, by the law of each zone, so that the oracle takes no word of the library
 * that the node asks. Zones that are not in its table it does ask of it.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A change of clocks: on which Sunday of a month, at which hour of UTC; a last Sunday has the number 5. */
interface Change {
  readonly month: number;
  readonly sunday: 1 | 2 | 5;
  /** Hours of UTC, from the beginning of that Sunday; before it where negative. */
  readonly hour: number;
}

/** When clocks go ahead, and when they go back. */
interface Summer {
  readonly begins: Change;
  readonly ends: Change;
}

interface Zone {
  /** Hours ahead of UTC without summer time. */
  readonly standard: number;
  /** Undefined where clocks never change. */
  readonly summer?: Summer;
}

const EUROPE = { begins: { month: 2, sunday: 5, hour: 1 }, ends: { month: 9, sunday: 5, hour: 1 } } as const;

const ZONES: Readonly<Record<string, Zone>> = {
  UTC: { standard: 0 },
  'Asia/Tokyo': { standard: 9 },
  'Asia/Kathmandu': { standard: 5.75 },
  'Europe/Berlin': { standard: 1, summer: EUROPE },
  'Europe/London': { standard: 0, summer: EUROPE },
  'America/New_York': {
    standard: -5,
    summer: { begins: { month: 2, sunday: 2, hour: 7 }, ends: { month: 10, sunday: 1, hour: 6 } },
  },
  'Australia/Sydney': {
    standard: 10,
    summer: { begins: { month: 9, sunday: 1, hour: -8 }, ends: { month: 3, sunday: 1, hour: -8 } },
  },
};

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export interface LocalTime {
  /** Such as mon. */
  readonly day: string;
  /** Such as 09:05. */
  readonly time: string;
}

/** Zones whose laws are known here. */
export const ZONES_BY_LAW: readonly string[] = Object.keys(ZONES);

/** @param at milliseconds since the epoch */
export function localTime(zone: string, at: number): LocalTime {
  const law = ZONES[zone];
  if (law === undefined) return byLibrary(zone, at);
  const local = new Date(at + aheadMs(law, at));
  return { day: DAYS[local.getUTCDay()] as string, time: local.toISOString().slice(11, 16) };
}

/** A stretch of the calendar. */
export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year';

/**
 * The midnight at which the present day, week from Monday, month, quarter or year began in a zone.
 * @param at milliseconds since the epoch @returns the same
 * @throws Error for a zone whose law is not known here
 */
export function beginOf(period: Period, zone: string, at: number): number {
  const law = ZONES[zone];
  if (law === undefined) throw new Error(`The law of ${zone} is not known here.`);
  const local = new Date(at + aheadMs(law, at));
  const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  const firsts: Readonly<Record<Period, number>> = {
    day: Date.UTC(year, month, date),
    week: Date.UTC(year, month, date - ((local.getUTCDay() + 6) % 7)),
    month: Date.UTC(year, month, 1),
    quarter: Date.UTC(year, Math.floor(month / 3) * 3, 1),
    year: Date.UTC(year, 0, 1),
  };
  // Clocks of these zones change at no midnight, so that each is there once.
  const midnight = firsts[period];
  const standard = midnight - law.standard * HOUR_MS;
  return midnight - aheadMs(law, standard) === standard ? standard : standard - HOUR_MS;
}

function aheadMs(law: Zone, at: number): number {
  return (law.standard + (law.summer !== undefined && isSummer(law.summer, at) ? 1 : 0)) * HOUR_MS;
}

function isSummer({ begins, ends }: Summer, at: number): boolean {
  const year = new Date(at).getUTCFullYear();
  const [from, to] = [momentOf(begins, year), momentOf(ends, year)];
  return from < to ? at >= from && at < to : at >= from || at < to;
}

function momentOf({ month, sunday, hour }: Change, year: number): number {
  const first = new Date(Date.UTC(year, month, 1));
  const firstSunday = 1 + ((7 - first.getUTCDay()) % 7);
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const last = firstSunday + 7 * Math.floor((days - firstSunday) / 7);
  const date = sunday === 5 ? last : firstSunday + 7 * (sunday - 1);
  return Date.UTC(year, month, 1) + (date - 1) * DAY_MS + hour * HOUR_MS;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function byLibrary(zone: string, at: number): LocalTime {
  const known = formats.get(zone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  if (known === undefined) formats.set(zone, format);
  const parts = format.formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return { day: part('weekday').toLowerCase(), time: `${part('hour')}:${part('minute')}` };
}
