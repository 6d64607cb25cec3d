/** The rule for which 32 bytes are an Ed25519 public key. Every suite and every DID uses it. */
import { Point } from '@noble/ed25519';
import { codesFor, textOfCodes } from '../wire/characterCodes.ts';
import { memoize } from '../wire/memoize.ts';

export const KEY_BYTES = 32;
const CACHED_KEYS = 10_000;

/** A multiplication by the group order takes most of a millisecond, so it is done once per key. */
const examine = memoize(CACHED_KEYS, (pairs) => {
  try {
    const bytes = Uint8Array.from(
      { length: KEY_BYTES },
      (_, at) => pairs.charCodeAt(at >> 1) >> (at % 2 === 0 ? 0 : 8),
    );
    const point = Point.fromBytes(bytes, false);
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
  // Two bytes in each character: half as many of them to be compared and kept.
  const pairs = codesFor(KEY_BYTES / 2);
  for (let i = 0; i < KEY_BYTES; i += 2) pairs[i / 2] = (publicKey[i] as number) | ((publicKey[i + 1] as number) << 8);
  return examine(textOfCodes(pairs));
}

/** Whether the bytes are a public key by the rule of `pointOf`. */
export let isPublicKey = (publicKey: Uint8Array): boolean => pointOf(publicKey) !== undefined;

/** @param examine a native library's version of that rule, some thirty times as fast; `isPublicKey` goes by it from then on */
export function examineKeysBy(examine: (publicKey: Uint8Array) => boolean): void {
  isPublicKey = examine;
}
