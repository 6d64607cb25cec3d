/**
 * An event as bytes of its canonical JSON: what was hashed is all of it but one member, so that a chain of any length is
 * checked without parsing it.
 */
import { isSurelyCanonical } from '../credential/canonicalBytes.ts';

/** Where the parts of an event lie among bytes. */
export interface RawEvent {
  readonly seq: number;
  /** The member `hashCurr` with the comma behind it, which was not hashed. */
  readonly cutFrom: number;
  readonly cutTo: number;
  /** The first of the 64 hexadecimal digits of each hash. */
  readonly hashCurr: number;
  readonly hashPrev: number;
}

const HASH_DIGITS = 64;
const MOST_SEQ_DIGITS = 15;
const [QUOTE, COMMA, BACKSLASH, CLOSE, ZERO, NINE] = [0x22, 0x2c, 0x5c, 0x7d, 0x30, 0x39];
const ascii = (text: string) => Uint8Array.from(text, (each) => each.charCodeAt(0));
const SEQ = ascii(',"seq":');
const ID = ascii('","id":"');
const PREV = ascii(',"hashPrev":"sha256:');
const CURR = ascii('"hashCurr":"sha256:');
const ROTATED = ascii('"eventType":"ISSUER_ROTATED",');

/**
 * @param from the first byte @param to the byte after the last
 * @returns undefined for what is no event in canonical form, and for what would have to be parsed to know
 */
export function readRawEvent(bytes: Uint8Array, from: number, to: number): RawEvent | undefined {
  // From its end: what comes before `hashCurr` is of any length, and may quote the names of all members.
  let at = to - 1;
  if (bytes[at] !== CLOSE) return undefined;
  const seqTo = at;
  while (at > from && isDigit(bytes[at - 1] as number)) at -= 1;
  const seq = numberIn(bytes, at, seqTo);
  at -= SEQ.length;
  if (seq === undefined || !stands(SEQ, bytes, at, from) || bytes[at - 1] !== QUOTE) return undefined;
  at -= 1;
  while (at > from && isPlain(bytes[at - 1] as number)) at -= 1;
  at -= ID.length;
  if (!stands(ID, bytes, at, from)) return undefined;
  const hashPrev = at - HASH_DIGITS;
  at = hashPrev - PREV.length;
  if (!stands(PREV, bytes, at, from)) return undefined;
  const cutTo = at + 1;
  at -= 1;
  if (bytes[at] !== QUOTE) return undefined;
  const hashCurr = at - HASH_DIGITS;
  const cutFrom = hashCurr - CURR.length;
  if (!stands(CURR, bytes, cutFrom, from) || !isSurelyCanonical(bytes, from, to)) return undefined;
  return { seq, cutFrom, cutTo, hashCurr, hashPrev };
}

/** Whether the event is a change of the issuer's key, which its type says right before the cut. */
export function isRotation(bytes: Uint8Array, from: number, { cutFrom }: RawEvent): boolean {
  return stands(ROTATED, bytes, cutFrom - ROTATED.length, from);
}

/** Whether hexadecimal digits, in lower case, stand for these bytes. */
export function isHexOf(bytes: Uint8Array, at: number, hash: Uint8Array): boolean {
  for (let index = 0; index < hash.length; index += 1) {
    const byte = hash[index] as number;
    if (bytes[at + 2 * index] !== digitOf(byte >> 4) || bytes[at + 2 * index + 1] !== digitOf(byte & 15)) return false;
  }
  return true;
}

function digitOf(value: number): number {
  return value < 10 ? ZERO + value : 0x57 + value;
}

function stands(part: Uint8Array, bytes: Uint8Array, at: number, from: number): boolean {
  if (at < from) return false;
  for (let index = 0; index < part.length; index += 1) if (bytes[at + index] !== part[index]) return false;
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** What a string has that neither ends nor escapes. */
function isPlain(byte: number): boolean {
  return byte !== QUOTE && byte !== BACKSLASH && byte !== COMMA;
}

function numberIn(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (to === from || to - from > MOST_SEQ_DIGITS) return undefined;
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + (bytes[at] as number) - ZERO;
  return number;
}
