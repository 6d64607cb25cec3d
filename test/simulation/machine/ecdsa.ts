/** ECDSA over P-256 (FIPS 186-5 section 6.4.1) with a random number that is given: node:crypto draws one of its own, so that no world would be the same twice. */
import { createECDH, createHash, type KeyObject } from 'node:crypto';

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** @returns r and s in 64 bytes */
export function signByP256(key: KeyObject, content: Uint8Array, bytes: (size: number) => Uint8Array): Buffer {
  const secret = numberOf(Buffer.from(String(key.export({ format: 'jwk' }).d), 'base64url'));
  const k = (numberOf(bytes(48)) % (ORDER - 1n)) + 1n;
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytesOf(k));
  const r = numberOf(pair.getPublicKey().subarray(1, 33)) % ORDER;
  const digest = numberOf(createHash('sha256').update(content).digest());
  const s = (inverseOf(k) * ((digest + r * secret) % ORDER)) % ORDER;
  return Buffer.concat([bytesOf(r), bytesOf(s)]);
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function bytesOf(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
}

/** By Fermat's little theorem. */
function inverseOf(number: bigint): bigint {
  let result = 1n;
  let square = number % ORDER;
  for (let rest = ORDER - 2n; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % ORDER;
    square = (square * square) % ORDER;
  }
  return result;
}
