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
  const codes = new Array<number>(TIME_CHARACTERS + RANDOM_CHARACTERS);
  encode(now, codes, 0, TIME_CHARACTERS);
  // 5 bytes are 40 bits or eight characters; two such halves avoid arithmetic beyond 2^53.
  for (let half = 0; half < 2; half++) {
    let bits = 0;
    for (let i = 0; i < 5; i++) bits = bits * 256 + (random[half * 5 + i] as number);
    encode(bits, codes, TIME_CHARACTERS + (half * RANDOM_CHARACTERS) / 2, RANDOM_CHARACTERS / 2);
  }
  return prefix + String.fromCharCode.apply(null, codes);
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
    const bytes = Uint8Array.from(random(RANDOM_BYTES));
    if (now > time || now < time - MOST_BACK_MS) {
      time = now;
      count = (((bytes[0] as number) & 0x7f) << 8) | (bytes[1] as number);
    } else {
      count += 1;
    }
    if (count === COUNTS) {
      time += 1;
      count = 0;
    }
    bytes[0] = count >> 8;
    bytes[1] = count & 0xff;
    return makeId(prefix, time, bytes);
  };
}

/** The smallest id of this kind in a millisecond: a bound for ranges by time. */
export function firstIdAt(prefix: string, now: number): string {
  const codes = new Array<number>(TIME_CHARACTERS);
  encode(Math.max(0, now), codes, 0, TIME_CHARACTERS);
  return `${prefix}${String.fromCharCode.apply(null, codes)}${NO_RANDOM}`;
}

/** True for a well-formed id of that kind. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length));
}

/** Writes a number into the character codes of an id: `count` of them from `start`. */
function encode(value: number, codes: number[], start: number, count: number): void {
  let rest = value;
  for (let at = start + count - 1; at >= start; at--) {
    codes[at] = ALPHABET.charCodeAt(rest % 32);
    rest = Math.floor(rest / 32);
  }
}
