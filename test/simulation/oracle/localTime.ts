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

interface Zone {
  /** Hours ahead of UTC without summer time. */
  readonly standard: number;
  readonly begins: Change;
  readonly ends: Change;
}

const EUROPE = { begins: { month: 2, sunday: 5, hour: 1 }, ends: { month: 9, sunday: 5, hour: 1 } } as const;

const ZONES: Readonly<Record<string, Zone>> = {
  'Europe/Berlin': { standard: 1, ...EUROPE },
  'Europe/London': { standard: 0, ...EUROPE },
  'America/New_York': {
    standard: -5,
    begins: { month: 2, sunday: 2, hour: 7 },
    ends: { month: 10, sunday: 1, hour: 6 },
  },
  'Australia/Sydney': {
    standard: 10,
    begins: { month: 9, sunday: 1, hour: -8 },
    ends: { month: 3, sunday: 1, hour: -8 },
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
  const local = new Date(at + (law.standard + (isSummer(law, at) ? 1 : 0)) * HOUR_MS);
  return { day: DAYS[local.getUTCDay()] as string, time: local.toISOString().slice(11, 16) };
}

function isSummer({ begins, ends }: Zone, at: number): boolean {
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
