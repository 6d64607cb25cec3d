/** Bytes as text: base64url without padding (RFC 4648 section 5), read strictly, and hexadecimal. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const INVALID = 255;

const VALUES = new Uint8Array(128).fill(INVALID);
for (let value = 0; value < 64; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function toBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group = (byteAt(bytes, at) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2);
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63);
    if (left > 1) text += ALPHABET.charAt((group >> 6) & 63);
    if (left > 2) text += ALPHABET.charAt(group & 63);
  }
  return text;
}

/**
 * @returns the bytes, or undefined for anything `toBase64url` would not have written: padding, other characters,
 * a length no bytes have, or bits set beyond the last byte. So one value has one spelling.
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

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 1) text += HEX[byteAt(bytes, at)];
  return text;
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
