/** When a backup is due: at the beginning of each hour, at an hour of each day, or at an hour of each Monday, by UTC. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The first Monday after the epoch, which was a Thursday. */
const MONDAY_MS = 4 * DAY_MS;

const PERIODS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const;

interface Rhythm {
  readonly every: keyof typeof PERIODS;
  /** Of the day, 0 to 23 by UTC; nothing where one is made each hour. */
  readonly hour: number;
}

/** @param now milliseconds since the epoch @returns the newest time at or before now at which a backup is due */
export function slotBefore({ every, hour }: Rhythm, now: number): number {
  const period = PERIODS[every];
  const offset = every === 'hour' ? 0 : hour * HOUR_MS + (every === 'week' ? MONDAY_MS : 0);
  return Math.floor((now - offset) / period) * period + offset;
}

/**
 * @param last the time of the newest data that is kept, in milliseconds since the epoch; undefined where there is none
 * @param now milliseconds since the epoch
 * @returns when the next backup is due: now at the latest where one was missed, or never made
 */
export function nextDue(rhythm: Rhythm, last: number | undefined, now: number): number {
  const slot = slotBefore(rhythm, now);
  const isMade = last !== undefined && last >= slot && last <= now + PERIODS[rhythm.every];
  return isMade ? slot + PERIODS[rhythm.every] : now;
}
