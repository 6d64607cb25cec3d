/** Addresses of EVM chains (EIP-55). The case of their letters is a checksum where it is mixed, and says nothing where it is not. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { toHex } from '../credential/encodings.ts';

/**
 * @returns the address in lower case, by which addresses are compared here; undefined for what is none, and for one of mixed case
 * whose checksum is wrong: a letter of it was changed
 */
export function readAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const digits = text.slice(2);
  const isOfOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOfOneCase || text === checksumAddress(text.toLowerCase()) ? text.toLowerCase() : undefined;
}

/** @param address in lower case @returns it with the case of its letters as a checksum, as wallets write it */
export function checksumAddress(address: string): string {
  const digits = address.slice(2);
  const hash = toHex(keccak_256(new TextEncoder().encode(digits)));
  const letters = [...digits].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}
