/**
 * SHA-256 by node's one-shot hash, which is several times faster than a Hash object for short inputs. The digest is
 * requested as text, since creating a Buffer for it takes longer than hashing.
 */
import { createHash, hash } from 'node:crypto';

const DIGEST_BYTES = 32;

/** @param input bytes, or a text whose UTF-8 bytes are hashed */
export function sha256(input: string | Uint8Array): Uint8Array {
  const text = hash('sha256', input, 'binary');
  const digest = new Uint8Array(DIGEST_BYTES);
  for (let i = 0; i < DIGEST_BYTES; i++) digest[i] = text.charCodeAt(i);
  return digest;
}

/** The plain version of `sha256`. */
export function sha256Plainly(input: string | Uint8Array): Uint8Array {
  return Uint8Array.from(createHash('sha256').update(input).digest());
}

/** In hexadecimal, lower case. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The hashes of a suite. */
export const nativeHashes = { sha256, sha256Bytes: sha256, sha256Hex };
