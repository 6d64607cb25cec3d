/**
 * Identifiers: a prefix for the kind and 26 characters of lower-case Crockford base32, 48 bits of milliseconds and 80
 * random bits (the ULID layout), so that ids of one kind sort by the time of their creation.
 */
import { codesFor, textOfCodes } from './characterCodes.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const NO_RANDOM = '0'.repeat(RANDOM_CHARACTERS);

/** How many random bytes an id takes. */
export const RANDOM_BYTES = 10;

/**
 * @param prefix with its underscore, such as `intent_`
 * @param now milliseconds since the epoch
 * @param random at least RANDOM_BYTES unpredictable bytes
 */
export function makeId(prefix: string, now: number, random: Uint8Array): string {
  return idOf(prefix, now, numberIn(random, 0, 2), random);
}

/** @param count in place of the first two random bytes */
function idOf(prefix: string, now: number, count: number, random: Uint8Array): string {
  const codes = codesFor(TIME_CHARACTERS + RANDOM_CHARACTERS);
  encode(now, codes, 0, TIME_CHARACTERS);
  // 5 bytes are 40 bits or eight characters; two such halves avoid arithmetic beyond 2^53.
  encode(count * 2 ** 24 + numberIn(random, 2, 5), codes, TIME_CHARACTERS, RANDOM_CHARACTERS / 2);
  encode(numberIn(random, 5, 10), codes, TIME_CHARACTERS + RANDOM_CHARACTERS / 2, RANDOM_CHARACTERS / 2);
  return prefix + textOfCodes(codes);
}

/** The number that bytes are, the first one the highest. */
function numberIn(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 256 + (bytes[at] as number);
  return number;
}

/** A clock that went back further than this was wrong before: ids follow it, or limits by time would count for ever. */
const MOST_BACK_MS = 24 * 3600 * 1000;
/** The first two random bytes of an id count the ids of its millisecond, from a random start in the lower half. */
const COUNTS = 65_536;

/**
 * Makes ids that sort in the order in which they were made, also within a millisecond and when the clock is set back: the
 * time never goes back, and two of the random bytes count. The other eight are random in each id.
 * @param clock milliseconds since the epoch @param random gives unpredictable bytes
 */
export function idMaker(clock: () => number, random: (size: number) => Uint8Array): (prefix: string) => string {
  let time = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (prefix) => {
    const now = clock();
    const bytes = random(RANDOM_BYTES);
    if (now > time || now < time - MOST_BACK_MS) {
      time = now;
      count = numberIn(bytes, 0, 2) & 0x7fff;
    } else {
      count += 1;
    }
    if (count === COUNTS) {
      time += 1;
      count = 0;
    }
    return idOf(prefix, time, count, bytes);
  };
}

/** The smallest id of this kind in a millisecond: a bound for ranges by time. */
export function firstIdAt(prefix: string, now: number): string {
  const codes = codesFor(TIME_CHARACTERS);
  encode(Math.max(0, now), codes, 0, TIME_CHARACTERS);
  return `${prefix}${textOfCodes(codes)}${NO_RANDOM}`;
}

/** The time of an id that this module made, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  const start = id.indexOf('_') + 1;
  let time = 0;
  for (let at = start; at < start + TIME_CHARACTERS; at++) time = time * 32 + ALPHABET.indexOf(id.charAt(at));
  return time;
}

/** True for a well-formed id of that kind. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length));
}

/** Writes a number into the character codes of an id, from `start`. @param count of characters, an even number */
function encode(value: number, codes: number[], start: number, count: number): void {
  // In two halves: the machine divides integers of 32 bits many times faster than larger numbers.
  const unit = 1 << ((5 * count) / 2);
  const high = Math.floor(value / unit);
  encodeHalf(high, codes, start, count / 2);
  encodeHalf(value - high * unit, codes, start + count / 2, count / 2);
}

function encodeHalf(value: number, codes: number[], start: number, count: number): void {
  let rest = value;
  for (let at = start + count - 1; at >= start; at--) {
    codes[at] = ALPHABET.charCodeAt(rest & 31);
    rest >>>= 5;
  }
}
