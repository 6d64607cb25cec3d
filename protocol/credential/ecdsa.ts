/**
 * ECDSA over the curves that JWA names (RFC 7518 section 3.4; FIPS 186-5, SEC 2): verification alone, of public values, in plain
 * JavaScript.
 */
import { numberOf } from './numberOf.ts';

/** A curve y² = x³ − 3x + b modulo p, with a base point of prime order. */
interface CurveDomain {
  readonly p: bigint;
  readonly b: bigint;
  readonly order: bigint;
  readonly base: readonly [x: bigint, y: bigint];
  /** Of a coordinate, and of either half of a signature. */
  readonly bytes: number;
}

/** In Jacobian coordinates: x/z², y/z³; the point at infinity where z is 0. */
type Point = readonly [x: bigint, y: bigint, z: bigint];

const INFINITY: Point = [1n, 1n, 0n];

class Curve {
  readonly #domain: CurveDomain;
  readonly #base: Point;

  constructor(domain: CurveDomain) {
    this.#domain = domain;
    this.#base = [...domain.base, 1n];
  }

  /** Of a coordinate, in bytes. */
  get bytes(): number {
    return this.#domain.bytes;
  }

  /** Whether a point is one of the curve. */
  isPoint(x: bigint, y: bigint): boolean {
    const { p, b } = this.#domain;
    return x < p && y < p && this.#mod(y * y - (x * x * x - 3n * x + b)) === 0n;
  }

  /**
   * Whether a signature holds (FIPS 186-5 section 6.4.2). It never throws.
   * @param key the coordinates of the public key; one that is no point of the curve verifies nothing
   * @param digest of what was signed, by a hash that is no longer than the order of the curve
   * @param signature r and s, each as long as a coordinate (RFC 7518 section 3.4)
   */
  isSigned(key: { readonly x: bigint; readonly y: bigint }, digest: Uint8Array, signature: Uint8Array): boolean {
    const { p, order, bytes } = this.#domain;
    if (signature.length !== 2 * bytes || !this.isPoint(key.x, key.y)) return false;
    const r = numberOf(signature.subarray(0, bytes));
    const s = numberOf(signature.subarray(bytes));
    if (r === 0n || s === 0n || r >= order || s >= order) return false;
    const inverse = power(s, order - 2n, order);
    const [x, , z] = this.#sumOf((numberOf(digest) * inverse) % order, (r * inverse) % order, [key.x, key.y, 1n]);
    if (z === 0n) return false;
    return (this.#mod(x * power(this.#mod(z * z), p - 2n, p)) % order) - r === 0n;
  }

  /** a·G + b·Q, bit by bit. */
  #sumOf(a: bigint, b: bigint, key: Point): Point {
    const both = this.#add(this.#base, key);
    let sum = INFINITY;
    for (let bit = BigInt(8 * this.bytes - 1); bit >= 0n; bit -= 1n) {
      sum = this.#double(sum);
      const [inA, inB] = [(a >> bit) & 1n, (b >> bit) & 1n];
      if (inA === 1n) sum = this.#add(sum, inB === 1n ? both : this.#base);
      else if (inB === 1n) sum = this.#add(sum, key);
    }
    return sum;
  }

  #double([x, y, z]: Point): Point {
    if (z === 0n) return INFINITY;
    const delta = this.#mod(z * z);
    const gamma = this.#mod(y * y);
    const beta = this.#mod(x * gamma);
    const alpha = this.#mod(3n * (x - delta) * (x + delta));
    const x3 = this.#mod(alpha * alpha - 8n * beta);
    return [x3, this.#mod(alpha * (4n * beta - x3) - 8n * gamma * gamma), this.#mod(2n * y * z)];
  }

  #add(one: Point, other: Point): Point {
    const [x1, y1, z1] = one;
    const [x2, y2, z2] = other;
    if (z1 === 0n) return other;
    if (z2 === 0n) return one;
    const [z1z1, z2z2] = [this.#mod(z1 * z1), this.#mod(z2 * z2)];
    const [u1, u2] = [this.#mod(x1 * z2z2), this.#mod(x2 * z1z1)];
    const [s1, s2] = [this.#mod(y1 * z2 * z2z2), this.#mod(y2 * z1 * z1z1)];
    if (u1 === u2) return s1 === s2 ? this.#double(one) : INFINITY;
    const h = this.#mod(u2 - u1);
    const r = this.#mod(s2 - s1);
    const hh = this.#mod(h * h);
    const hhh = this.#mod(h * hh);
    const v = this.#mod(u1 * hh);
    const x3 = this.#mod(r * r - hhh - 2n * v);
    return [x3, this.#mod(r * (v - x3) - s1 * hhh), this.#mod(h * z1 * z2)];
  }

  #mod(value: bigint): bigint {
    const { p } = this.#domain;
    const rest = value % p;
    return rest < 0n ? rest + p : rest;
  }
}

export const CURVES = {
  'P-256': new Curve({
    p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    base: [
      0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
      0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
    ],
    bytes: 32,
  }),
  'P-384': new Curve({
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    base: [
      0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7n,
      0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5fn,
    ],
    bytes: 48,
  }),
  'P-521': new Curve({
    p: 2n ** 521n - 1n,
    b: 0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    base: [
      0x00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66n,
      0x011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650n,
    ],
    bytes: 66,
  }),
} as const;
export type CurveName = keyof typeof CURVES;

/** @returns base to an exponent, modulo a modulus */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
