/** Which 32 bytes count as an Ed25519 public key. Every suite and every DID is held to this one rule. */
import { Point } from '@noble/ed25519';
import { memo } from '../wire/memo.ts';

export const KEY_BYTES = 32;
const REMEMBERED_KEYS = 10_000;

/** A multiplication by the group order takes most of a millisecond, so it is paid once per key. */
const examine = memo(REMEMBERED_KEYS, (latin1) => {
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
 * The point of a public key, or undefined when the bytes are none: not 32 of them, not a canonical encoding
 * (RFC 8032 section 5.1.3), off the curve, or outside the prime-order subgroup. The last refuses the eight
 * small-order points, under which anyone can forge, and their sums with honest keys, under which verifiers disagree.
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
