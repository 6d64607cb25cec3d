/** Moments on the wire. */
import { z } from 'zod';

/** An ISO 8601 time with its offset; parsed to milliseconds since the epoch. */
export const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
