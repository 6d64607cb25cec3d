/**
 * Identifiers: a prefix for the kind and 26 characters of lower-case Crockford base32, 48 bits of milliseconds and 80
 * random bits (the ULID layout), so that ids of one kind sort by the time of their creation.
 */
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
  // 5 bytes are 40 bits or eight characters; two such halves avoid arithmetic beyond 2^53.
  const high = count * 2 ** 24 + numberIn(random, 2, 5);
  const low = numberIn(random, 5, 10);
  const half = RANDOM_CHARACTERS / 2;
  return prefix + base32(now, TIME_CHARACTERS) + base32(high, half) + base32(low, half);
}

/** Every two letters, by the ten bits that they stand for. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits % 32));

/** @param value a whole number below 2^53 @param length an even one */
function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 1024)) text = PAIRS[rest % 1024] + text;
  return text;
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
  return prefix + base32(Math.max(0, now), TIME_CHARACTERS) + NO_RANDOM;
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
