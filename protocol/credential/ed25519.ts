/** The interface of signatures and hashes, and its implementation in plain JavaScript for browsers and peers. */
import { etc, getPublicKey, hashes, Point, sign } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { didOfKey } from './did.ts';
import { toHex } from './encodings.ts';
import { pointOf } from './publicKey.ts';

export interface Signer {
  /** The canonical DID of the public key. */
  readonly did: string;
  readonly publicKey: Uint8Array;
  /** @returns 64 bytes: R and S of RFC 8032 */
  sign(message: Uint8Array): Uint8Array;
}

interface Verifier {
  /**
   * Whether a signature holds. One rule for every implementation: the key is a point of prime order in canonical
   * encoding, S is below the group order, and R is, byte for byte, the encoding of [S]B − [k]A and not the identity
   * (RFC 8032 section 5.1.7 without the cofactor). Everything else is false; it never throws.
   */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

export interface Suite extends Verifier {
  readonly name: string;
  /** SHA-256 of the UTF-8 bytes of a text. */
  sha256(text: string): Uint8Array;
  sha256Bytes(bytes: Uint8Array): Uint8Array;
  /** SHA-256 of the UTF-8 bytes of a text, in lower-case hexadecimal. */
  sha256Hex(text: string): string;
  /** @param seed the 32 bytes of an RFC 8032 private key */
  signer(seed: Uint8Array): Signer;
}

export const SIGNATURE_BYTES = 64;
export const SEED_BYTES = 32;

/** The encoding of the identity. As R it would mean a nonce of zero, which reveals the private key. */
export function isIdentity(encoded: Uint8Array): boolean {
  return encoded[0] === 1 && encoded.every((byte, index) => index === 0 || byte === 0);
}

hashes.sha512 = sha512;
const { n: ORDER } = Point.CURVE();
const utf8 = new TextEncoder();

export const nobleSuite: Suite = {
  name: 'noble',
  verify,
  sha256: (text) => sha256(utf8.encode(text)),
  sha256Bytes: (bytes) => sha256(bytes),
  sha256Hex: (text) => toHex(sha256(utf8.encode(text))),
  signer(seed) {
    const secret = Uint8Array.from(seed);
    const publicKey = getPublicKey(secret);
    return { did: didOfKey(publicKey), publicKey, sign: (message) => sign(message, secret) };
  },
};

/** Implemented here because the library's verify multiplies by the cofactor and so accepts more. */
function verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const key = pointOf(publicKey);
  if (key === undefined) return false;
  const encodedR = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (s >= ORDER || isIdentity(encodedR)) return false;
  const k = littleEndian(sha512(etc.concatBytes(encodedR, publicKey, message))) % ORDER;
  const expected = Point.BASE.multiply(s, false).subtract(key.multiply(k, false)).toBytes();
  return expected.every((byte, index) => byte === encodedR[index]);
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${etc.bytesToHex(Uint8Array.from(bytes).reverse())}`);
}
