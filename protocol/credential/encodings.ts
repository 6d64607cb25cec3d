/** Bytes as text: base64 and base64url (RFC 4648 sections 4 and 5), decoded strictly, and hexadecimal. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

const ascii = new TextDecoder();
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const INVALID = 255;

const VALUES = new Uint8Array(128).fill(INVALID);
for (let value = 0; value < 64; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;

/** Without padding. */
export function toBase64url(bytes: Uint8Array): string {
  // One text of all letters: put together letter by letter it would be a text for each.
  const letters = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (byteAt(bytes, at) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2);
    for (let shift = 18; shift >= 0; shift -= 6) {
      letters[to] = CODES[(group >> shift) & 63] as number;
      to += 1;
    }
  }
  return ascii.decode(letters.subarray(0, Math.ceil((bytes.length * 4) / 3)));
}

/**
 * @returns the bytes, or undefined for anything `toBase64url` would not have written: padding, other characters,
 * an impossible length, or bits set beyond the last byte. So each value has one spelling.
 */
export function fromBase64url(text: string): Uint8Array | undefined {
  const rest = text.length % 4;
  if (rest === 1) return undefined;
  const bytes = new Uint8Array((text.length * 6) >> 3);
  let group = 0;
  let bits = 0;
  let to = 0;
  for (let at = 0; at < text.length; at += 1) {
    const value = VALUES[text.charCodeAt(at)] ?? INVALID;
    if (value === INVALID) return undefined;
    group = ((group & 0xff) << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[to] = group >> bits;
      to += 1;
    }
  }
  const spareBits = group & ((1 << bits) - 1);
  return spareBits === 0 ? bytes : undefined;
}

/** With padding, as signed notes have it. */
export function toBase64(bytes: Uint8Array): string {
  const text = toBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text + '='.repeat((4 - (text.length % 4)) % 4);
}

/** @returns the bytes, or undefined for anything `toBase64` would not have written */
export function fromBase64(text: string): Uint8Array | undefined {
  // Two at most: a search for any number of them takes quadratic time over a text full of them.
  const bytes = fromBase64url(
    text
      .replace(/={1,2}$/, '')
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
  );
  return bytes === undefined || toBase64(bytes) !== text ? undefined : bytes;
}

/** In lower case. */
export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** @returns the bytes, or undefined for text that is not hexadecimal */
export function fromHex(text: string): Uint8Array | undefined {
  try {
    return hexToBytes(text);
  } catch {
    return undefined;
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
