/** Keys and signatures on which careless Ed25519 verifiers go wrong, made by hand from curve points. */
import { getPublicKey, Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
// Gives the library its SHA-512.
import '../../protocol/credential/ed25519.ts';

export interface HardCase {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

const { n: ORDER, p: FIELD } = Point.CURVE();
const MESSAGE = new TextEncoder().encode('pay 150.00 USD');
const SEED = new Uint8Array(32).fill(9);

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
}

function toBytes(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
}

/** The secret scalar of an RFC 8032 seed. */
function scalarOf(seed: Uint8Array): bigint {
  const head = sha512(seed).slice(0, 32);
  head[0] = (head[0] ?? 0) & 248;
  head[31] = ((head[31] ?? 0) & 127) | 64;
  return littleEndian(head) % ORDER;
}

/** A point of order 8. */
function torsionPoint(): Point {
  for (let y = 2n; ; y += 1n) {
    try {
      const point = Point.fromBytes(toBytes(y));
      const torsion = point.multiply(ORDER - 1n, false).add(point);
      if (!torsion.multiply(4n, false).is0()) return torsion;
    } catch {
      // Half of all y are not on the curve.
    }
  }
}

const TORSION = torsionPoint();
const SCALAR = scalarOf(SEED);
const KEY = Point.fromBytes(getPublicKey(SEED));

/** A signature by the equation alone: S = r + k·a for any R and key. */
function forge(r: bigint, pointR: Point, key: Point, scalar: bigint): HardCase {
  const encodedR = pointR.toBytes();
  const publicKey = key.toBytes();
  const k = littleEndian(sha512(Uint8Array.of(...encodedR, ...publicKey, ...MESSAGE))) % ORDER;
  const s = (r + k * scalar) % ORDER;
  return { publicKey, message: MESSAGE, signature: Uint8Array.of(...encodedR, ...toBytes(s)) };
}

export const HONEST: HardCase = forge(77n, Point.BASE.multiply(77n), KEY, SCALAR);

/** The eight points of small order in every encoding, canonical or not. */
export const SMALL_ORDER_KEYS: readonly Uint8Array[] = smallOrderKeys();

function smallOrderKeys(): Uint8Array[] {
  const keys = new Map<string, Uint8Array>();
  for (let times = 0n; times < 8n; times += 1n) {
    const y = times === 0n ? 1n : TORSION.multiply(times, false).toAffine().y;
    for (const spelled of [y, y + FIELD].filter((value) => value < 2n ** 255n)) {
      for (const sign of [0n, 1n << 255n]) keys.set(String(spelled + sign), toBytes(spelled + sign));
    }
  }
  return [...keys.values()];
}

/** Honest keys with a point of small order added: some signatures hold for some verifiers. */
export const MIXED_ORDER_CASES: readonly HardCase[] = Array.from({ length: 16 }, (_, index) => {
  const r = BigInt(1000 + index);
  return forge(r, Point.BASE.multiply(r), KEY.add(TORSION), SCALAR);
});

/** R with a small-order part: holds only for verifiers that multiply by the cofactor. */
export const MIXED_R: HardCase = forge(78n, Point.BASE.multiply(78n).add(TORSION), KEY, SCALAR);

/** R of small order, the identity included. */
export const SMALL_ORDER_R: readonly HardCase[] = [
  Point.ZERO,
  TORSION,
  TORSION.double(),
  TORSION.multiply(4n, false),
].map((point) => forge(0n, point, KEY, SCALAR));

/** A forgery anyone can make under the identity as key: R = [S]B for any message. */
export const IDENTITY_FORGERY: HardCase = forge(5n, Point.BASE.multiply(5n), Point.ZERO, 0n);

/** The honest signature with the group order added to S. */
export const LARGE_S: HardCase = {
  ...HONEST,
  signature: Uint8Array.of(
    ...HONEST.signature.subarray(0, 32),
    ...toBytes(littleEndian(HONEST.signature.subarray(32)) + ORDER),
  ),
};

/** Encodings that are no key: y at or above the field prime, and y off the curve. */
export const BAD_ENCODINGS: readonly Uint8Array[] = [
  toBytes(FIELD),
  toBytes(FIELD + 3n),
  toBytes(2n ** 255n - 1n),
  toBytes(2n),
  new Uint8Array(32).fill(0xff),
];

export const MIXED_ORDER_KEY: Uint8Array = KEY.add(TORSION).toBytes();
