/** The rule for which 32 bytes are an Ed25519 public key. Every suite and every DID uses it. */
import { Point } from '@noble/ed25519';
import { memoize } from '../wire/memoize.ts';

export const KEY_BYTES = 32;
const CACHED_KEYS = 10_000;

/** A multiplication by the group order takes most of a millisecond, so it is done once per key. */
const examine = memoize(CACHED_KEYS, (latin1) => {
  try {
    const point = Point.fromBytes(
      Uint8Array.from(latin1, (char) => char.charCodeAt(0)),
      false,
    );
    return !point.is0() && point.isTorsionFree() ? point : undefined;
  } catch {
    return undefined;
  }
});

/**
 * The point of a public key; undefined when the bytes are not 32, not a canonical encoding (RFC 8032 section 5.1.3), off
 * the curve, or outside the prime-order subgroup. The last rule refuses the eight small-order points, with which anyone
 * can forge signatures, and their sums with honest keys, on which verifiers disagree.
 */
export function pointOf(publicKey: Uint8Array): Point | undefined {
  if (publicKey.length !== KEY_BYTES) return undefined;
  let latin1 = '';
  for (let i = 0; i < KEY_BYTES; i++) latin1 += String.fromCharCode(publicKey[i] as number);
  return examine(latin1);
}

/** Whether the bytes are a public key by the rule of `pointOf`. */
export function isPublicKey(publicKey: Uint8Array): boolean {
  return pointOf(publicKey) !== undefined;
}
