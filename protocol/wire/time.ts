/** Moments on the wire. */
import { z } from 'zod';

/** An ISO 8601 time with its offset; parsed to milliseconds since the epoch. */
export const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Parameters that name a part of time: it must not end before it begins. */
export function inTimeOrder<T extends z.ZodType<{ from?: number | undefined; to?: number | undefined }>>(schema: T): T {
  return schema.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    message: 'must not lie after "to"',
    path: ['from'],
  });
}

/** A time as it stands on the wire; undefined where there is none. @param milliseconds since the epoch */
export function isoTime(milliseconds: number): string;
export function isoTime(milliseconds: number | null): string | undefined;
export function isoTime(milliseconds: number | null): string | undefined {
  return milliseconds === null ? undefined : new Date(milliseconds).toISOString();
}
