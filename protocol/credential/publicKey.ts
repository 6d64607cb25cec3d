/** The rule for which 32 bytes are an Ed25519 public key. Every suite and every DID uses it. */
import { Point } from '@noble/ed25519';
import { memoize } from '../wire/memoize.ts';
import { toHex } from './encodings.ts';

export const KEY_BYTES = 32;
const CACHED_KEYS = 10_000;

/** A multiplication by the group order takes most of a millisecond, so it is done once per key. */
const examine = memoize(CACHED_KEYS, (hex) => {
  try {
    const point = Point.fromHex(hex, false);
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
  return publicKey.length === KEY_BYTES ? examine(toHex(publicKey)) : undefined;
}

/** Whether the bytes are a public key by the rule of `pointOf`. */
export let isPublicKey = (publicKey: Uint8Array): boolean => pointOf(publicKey) !== undefined;

/** @param examine a native library's version of that rule, some thirty times as fast; `isPublicKey` goes by it from then on */
export function examineKeysBy(examine: (publicKey: Uint8Array) => boolean): void {
  isPublicKey = examine;
}
