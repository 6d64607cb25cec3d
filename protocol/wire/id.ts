/**
 * Identifiers: a prefix for the kind and 26 characters of lower-case Crockford base32, 48 bits of milliseconds and 80
 * random bits (the ULID layout), so that ids of one kind sort by the time of their creation.
 */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const NO_RANDOM = '0'.repeat(RANDOM_CHARACTERS);

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
