/**
 * Identifiers: a prefix for the kind and 26 characters of lower-case Crockford base32, 48 bits of milliseconds and 80
 * random bits (the ULID layout), so that ids of one kind sort by the time of their creation.
 */
import { codesFor, textOfCodes } from './characterCodes.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGITS = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0));
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
  return idOf(prefix, now, countIn(random), random);
}

/** @param count in place of the first two random bytes */
function idOf(prefix: string, now: number, count: number, random: Uint8Array): string {
  const codes = codesFor(TIME_CHARACTERS + RANDOM_CHARACTERS);
  encodeTime(now, codes);
  encodeBytes(count >> 8, count & 0xff, random, 2, codes, TIME_CHARACTERS);
  encodeBytes(byteAt(random, 5), byteAt(random, 6), random, 7, codes, TIME_CHARACTERS + RANDOM_CHARACTERS / 2);
  return prefix + textOfCodes(codes);
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
      count = countIn(bytes) & 0x7fff;
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
  encodeTime(Math.max(0, now), codes);
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

/** What the first two random bytes count. */
function countIn(random: Uint8Array): number {
  return (byteAt(random, 0) << 8) | byteAt(random, 1);
}

/** Writes a time as the first characters of an id. The halves are integers of 25 bits, with which the machine counts fastest. */
function encodeTime(now: number, codes: number[]): void {
  const high = Math.floor(now / 2 ** 25);
  encode(high, codes, 0, TIME_CHARACTERS / 2);
  encode(now - high * 2 ** 25, codes, TIME_CHARACTERS / 2, TIME_CHARACTERS / 2);
}

/** Writes five bytes, two of which are given by themselves, as eight characters: twice 20 bits. */
function encodeBytes(
  first: number,
  second: number,
  bytes: Uint8Array,
  at: number,
  codes: number[],
  start: number,
): void {
  const third = byteAt(bytes, at);
  encode((first << 12) | (second << 4) | (third >> 4), codes, start, 4);
  encode(((third & 15) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2), codes, start + 4, 4);
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

/** Writes an integer of at most 32 bits into the character codes of an id: `count` of them from `start`. */
function encode(value: number, codes: number[], start: number, count: number): void {
  let rest = value;
  for (let at = start + count - 1; at >= start; at--) {
    codes[at] = DIGITS[rest & 31] as number;
    rest >>>= 5;
  }
}
