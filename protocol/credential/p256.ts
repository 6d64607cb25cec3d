/** ECDSA over P-256 with SHA-256 (FIPS 186-5, SEC 2 secp256r1): verification alone, of public values, in plain JavaScript. */
import { numberOf } from './numberOf.ts';

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** In Jacobian coordinates: x/z², y/z³; the point at infinity where z is 0. */
type Point = readonly [x: bigint, y: bigint, z: bigint];

const INFINITY: Point = [1n, 1n, 0n];
const BASE: Point = [
  0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  1n,
];

/** Whether y² = x³ − 3x + b modulo p. */
export function isOnP256(x: bigint, y: bigint): boolean {
  return x < P && y < P && mod(y * y - (x * x * x - 3n * x + B)) === 0n;
}

/**
 * Whether a signature holds (FIPS 186-5 section 6.4.2). It never throws.
 * @param key the coordinates of the public key; one that is no point of the curve verifies nothing
 * @param digest the SHA-256 of what was signed
 * @param signature 64 bytes: r and s (RFC 7518 section 3.4)
 */
export function isSignedByP256(key: { x: bigint; y: bigint }, digest: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64 || !isOnP256(key.x, key.y)) return false;
  const r = numberOf(signature.subarray(0, 32));
  const s = numberOf(signature.subarray(32));
  if (r === 0n || s === 0n || r >= ORDER || s >= ORDER) return false;
  const inverse = power(s, ORDER - 2n, ORDER);
  const [x, , z] = sumOf((numberOf(digest) * inverse) % ORDER, (r * inverse) % ORDER, [key.x, key.y, 1n]);
  if (z === 0n) return false;
  return (mod(x * power(mod(z * z), P - 2n, P)) % ORDER) - r === 0n;
}

/** a·G + b·Q, bit by bit. */
function sumOf(a: bigint, b: bigint, key: Point): Point {
  const both = add(BASE, key);
  let sum = INFINITY;
  for (let bit = 255n; bit >= 0n; bit -= 1n) {
    sum = double(sum);
    const [inA, inB] = [(a >> bit) & 1n, (b >> bit) & 1n];
    if (inA === 1n) sum = add(sum, inB === 1n ? both : BASE);
    else if (inB === 1n) sum = add(sum, key);
  }
  return sum;
}

function double([x, y, z]: Point): Point {
  if (z === 0n) return INFINITY;
  const delta = mod(z * z);
  const gamma = mod(y * y);
  const beta = mod(x * gamma);
  const alpha = mod(3n * (x - delta) * (x + delta));
  const x3 = mod(alpha * alpha - 8n * beta);
  return [x3, mod(alpha * (4n * beta - x3) - 8n * gamma * gamma), mod(2n * y * z)];
}

function add(one: Point, other: Point): Point {
  const [x1, y1, z1] = one;
  const [x2, y2, z2] = other;
  if (z1 === 0n) return other;
  if (z2 === 0n) return one;
  const [z1z1, z2z2] = [mod(z1 * z1), mod(z2 * z2)];
  const [u1, u2] = [mod(x1 * z2z2), mod(x2 * z1z1)];
  const [s1, s2] = [mod(y1 * z2 * z2z2), mod(y2 * z1 * z1z1)];
  if (u1 === u2) return s1 === s2 ? double(one) : INFINITY;
  const h = mod(u2 - u1);
  const r = mod(s2 - s1);
  const hh = mod(h * h);
  const hhh = mod(h * hh);
  const v = mod(u1 * hh);
  const x3 = mod(r * r - hhh - 2n * v);
  return [x3, mod(r * (v - x3) - s1 * hhh), mod(h * z1 * z2)];
}

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

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
