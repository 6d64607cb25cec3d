/** Moments on the wire. */
import { z } from 'zod';

/** An ISO 8601 time with its offset; parsed to milliseconds since the epoch. */
export const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** A time as it stands on the wire; undefined where there is none. @param milliseconds since the epoch */
export function isoTime(milliseconds: number): string;
export function isoTime(milliseconds: number | null): string | undefined;
export function isoTime(milliseconds: number | null): string | undefined {
  return milliseconds === null ? undefined : new Date(milliseconds).toISOString();
}
