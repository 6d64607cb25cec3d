/**
 * Whether bytes are canonical JSON (RFC 8785), found in one pass and without parsing. It is for what is read in bulk: where it
 * says no, the text may be canonical all the same, and a caller that needs to know parses it.
 */

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [MINUS, POINT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39];
/** Numbers of no more digits are written as they were read (IEEE 754, 15 significant decimals). */
const SURE_DIGITS = 15;
/** Smaller ones are written with an exponent. */
const MOST_LEADING_ZEROS = 5;
/** What may follow a backslash: the short forms, each of which is the only way to write its character. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([...'"\\bfnrt'].map((each) => each.charCodeAt(0)));
/** 1 for what stands for itself in a string, of ASCII. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
const LITERALS = ['true', 'false', 'null'].map((word) => Uint8Array.from(word, (each) => each.charCodeAt(0)));

/** @param from the first byte @param to the byte after the last */
export function isSurelyCanonical(bytes: Uint8Array, from: number, to: number): boolean {
  const scan = new Scan(bytes, from, to);
  return scan.value() && scan.isAtEnd && (!scan.hasMoreThanAscii || isUtf8(bytes.subarray(from, to)));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** One pass over a text. Each method reads what it is named for, and gives false where it is not surely canonical. */
class Scan {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;
  hasMoreThanAscii = false;

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  value(): boolean {
    const first = this.#next();
    if (first === QUOTE) return this.#string();
    if (first === OPEN_OBJECT) return this.#object();
    if (first === OPEN_LIST) return this.#list();
    if (first === MINUS || (first >= ZERO && first <= NINE)) return this.#number();
    return LITERALS.some((word) => this.#word(word));
  }

  /** @returns 0, which begins nothing, behind the end */
  #next(): number {
    return this.#at < this.#end ? (this.#bytes[this.#at] as number) : 0;
  }

  #take(byte: number): boolean {
    if (this.#next() !== byte) return false;
    this.#at += 1;
    return true;
  }

  #word(word: Uint8Array): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (this.#at + index >= this.#end || this.#bytes[this.#at + index] !== word[index]) return false;
    }
    this.#at += word.length;
    return true;
  }

  #string(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at + 1;
    for (;;) {
      while (at < end && IS_PLAIN[bytes[at] as number] === 1) at += 1;
      if (at >= end) return false;
      const byte = bytes[at] as number;
      at += 1;
      if (byte === QUOTE) {
        this.#at = at;
        return true;
      }
      if (byte >= 0x80) this.hasMoreThanAscii = true;
      else if (byte !== BACKSLASH || at >= end || !SHORT_ESCAPES.has(bytes[at] as number)) return false;
      else at += 1;
    }
  }

  #object(): boolean {
    this.#at += 1;
    if (this.#take(CLOSE_OBJECT)) return true;
    let [keyFrom, keyTo] = [-1, -1];
    for (;;) {
      const from = this.#at + 1;
      if (this.#next() !== QUOTE || !this.#string()) return false;
      const to = this.#at - 1;
      if (keyFrom !== -1 && !this.#precedes(keyFrom, keyTo, from, to)) return false;
      [keyFrom, keyTo] = [from, to];
      if (!this.#take(COLON) || !this.value()) return false;
      if (this.#take(CLOSE_OBJECT)) return true;
      if (!this.#take(COMMA)) return false;
    }
  }

  /** Whether one key comes before another; only of plain ones the order is that of their bytes. */
  #precedes(from: number, to: number, otherFrom: number, otherTo: number): boolean {
    const bytes = this.#bytes;
    const shorter = Math.min(to - from, otherTo - otherFrom);
    for (let index = 0; index < shorter; index += 1) {
      const [one, other] = [bytes[from + index] as number, bytes[otherFrom + index] as number];
      if (one === BACKSLASH || other === BACKSLASH || one >= 0x80 || other >= 0x80) return false;
      if (one !== other) return one < other;
    }
    return to - from < otherTo - otherFrom;
  }

  #list(): boolean {
    this.#at += 1;
    if (this.#take(CLOSE_LIST)) return true;
    for (;;) {
      if (!this.value()) return false;
      if (this.#take(CLOSE_LIST)) return true;
      if (!this.#take(COMMA)) return false;
    }
  }

  #number(): boolean {
    const isNegative = this.#take(MINUS);
    const begun = this.#at;
    const whole = this.#digits();
    const beginsWithZero = this.#bytes[begun] === ZERO;
    if (whole === 0 || (beginsWithZero && whole > 1)) return false;
    if (!this.#take(POINT)) return whole <= SURE_DIGITS && !(isNegative && beginsWithZero);
    const point = this.#at;
    const digits = this.#digits();
    if (digits === 0 || whole + digits > SURE_DIGITS || this.#bytes[this.#at - 1] === ZERO) return false;
    if (!beginsWithZero) return true;
    let zeros = 0;
    while (this.#bytes[point + zeros] === ZERO) zeros += 1;
    return zeros <= MOST_LEADING_ZEROS;
  }

  /** @returns how many */
  #digits(): number {
    const begun = this.#at;
    for (let byte = this.#next(); byte >= ZERO && byte <= NINE; byte = this.#next()) this.#at += 1;
    return this.#at - begun;
  }
}
