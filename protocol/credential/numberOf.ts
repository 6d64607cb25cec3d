/** Bytes as one number, the most significant first. */
import { toHex } from './encodings.ts';

export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes) || '0'}`);
}
