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
  return milliseconds === null ? undefined : textOf(milliseconds);
}

let lastTime = 0;
let lastText = new Date(0).toISOString();

/** What is written at one moment names it several times. @throws RangeError for a time that no date has */
function textOf(milliseconds: number): string {
  if (milliseconds !== lastTime) {
    lastText = new Date(milliseconds).toISOString();
    lastTime = milliseconds;
  }
  return lastText;
}
