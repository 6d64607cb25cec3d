/** Bytes as text: base64url without padding (RFC 4648 section 5), read strictly, and hexadecimal. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const INVALID = 255;
const MOST_ARGUMENTS = 1024;

const VALUES = new Uint8Array(128).fill(INVALID);
for (let value = 0; value < 64; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;

const DIGITS = '0123456789abcdef';

export function toBase64url(bytes: Uint8Array): string {
  const codes = new Array<number>(Math.ceil((bytes.length * 4) / 3));
  for (let at = 0, to = 0; at < bytes.length; at += 3) {
    const group = (byteAt(bytes, at) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2);
    for (let shift = 18; shift >= 0 && to < codes.length; shift -= 6) {
      codes[to] = ALPHABET.charCodeAt((group >> shift) & 63);
      to += 1;
    }
  }
  return textOf(codes);
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
  const codes = new Array<number>(bytes.length * 2);
  for (let at = 0; at < bytes.length; at += 1) {
    codes[2 * at] = DIGITS.charCodeAt(byteAt(bytes, at) >> 4);
    codes[2 * at + 1] = DIGITS.charCodeAt(byteAt(bytes, at) & 15);
  }
  return textOf(codes);
}

/** All at once where a call may have as many arguments; adding up characters would leave a string for each. */
function textOf(codes: readonly number[]): string {
  if (codes.length <= MOST_ARGUMENTS) return String.fromCharCode.apply(null, codes as number[]);
  let text = '';
  for (let at = 0; at < codes.length; at += MOST_ARGUMENTS) {
    text += String.fromCharCode.apply(null, codes.slice(at, at + MOST_ARGUMENTS));
  }
  return text;
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
