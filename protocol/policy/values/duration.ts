/** Durations of a policy: a positive integer with one unit, such as `90s`, `30m`, `24h` or `7d`. */
import { z } from 'zod';
import { Fault } from '../../wire/fault.ts';

const MS_PER_UNIT = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** The longest that a window may be. */
const MAX_DURATION_MS = 31 * MS_PER_UNIT.d;
const FORM = /^([1-9]\d{0,6})([smhd])$/;
const EXPECTED = 'must be a positive whole number with s, m, h or d, such as 24h, and at most 31d';

/** @param mostMs the longest that it may be @returns undefined for a text that is no such duration */
export function readDurationMs(text: string, mostMs = MAX_DURATION_MS): number | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const ms = Number(match[1]) * MS_PER_UNIT[match[2] as keyof typeof MS_PER_UNIT];
  return ms <= mostMs ? ms : undefined;
}

export const Duration = z.string().refine((text) => readDurationMs(text) !== undefined, EXPECTED);
export type Duration = z.infer<typeof Duration>;

/**
 * @param text a duration such as `1h`
 * @param mostMs the longest that it may be
 * @returns its length in milliseconds
 * @throws Fault BAD_REQUEST when the text is no duration or longer than that
 */
export function parseDurationMs(text: string, mostMs = MAX_DURATION_MS): number {
  const ms = readDurationMs(text, mostMs);
  if (ms === undefined) throw new Fault('BAD_REQUEST', `A duration ${EXPECTED}; got ${JSON.stringify(text)}.`);
  return ms;
}

/** A duration as text for a person, in the largest unit that divides it: "1 hour", "90 minutes". */
export function describeDuration(ms: number): string {
  const units = [
    ['day', MS_PER_UNIT.d],
    ['hour', MS_PER_UNIT.h],
    ['minute', MS_PER_UNIT.m],
    ['second', MS_PER_UNIT.s],
  ] as const;
  const [name, length] = units.find(([, length]) => ms % length === 0) ?? ['second', MS_PER_UNIT.s];
  const count = ms / length;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
