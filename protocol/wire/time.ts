/** Moments on the wire, and how old a message may be. */
import { z } from 'zod';

/** An ISO 8601 time with its offset; parsed to milliseconds since the epoch. */
export const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** How far in the past and in the future the `created` of a message may be. */
export const MESSAGE_AGE_SECONDS = 300;
export const MESSAGE_AHEAD_SECONDS = 60;

/** @returns one sentence when a message is too old or from the future, or undefined */
export function staleness(created: string, now: number): string | undefined {
  const at = Date.parse(created);
  if (at < now - MESSAGE_AGE_SECONDS * 1000) return `The message is more than ${MESSAGE_AGE_SECONDS} seconds old.`;
  if (at > now + MESSAGE_AHEAD_SECONDS * 1000) {
    return `The message is dated more than ${MESSAGE_AHEAD_SECONDS} seconds ahead of this node's clock.`;
  }
  return undefined;
}

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

/**
 * How far back a token is dated that others check: some libraries refuse one that is a second ahead of their clock
 * (docs/reference/compatibility.md has a table of them).
 */
const DATED_BACK_MS = 5000;

/** The moment at which a token for others says that it was made. @param now milliseconds since the epoch */
export function datedBack(now: number): number {
  return now - DATED_BACK_MS;
}

/** The same in seconds since the epoch, as the claim `iat` has it (RFC 7519). */
export function issuedAtSeconds(now: number): number {
  return Math.floor(datedBack(now) / 1000);
}
