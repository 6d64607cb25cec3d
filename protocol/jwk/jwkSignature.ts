/** Whether a signature is by the key of a JWK: ECDSA, EdDSA and RS256 (RFC 7518, RFC 8037), at once and without a platform. */
import { sha384, sha512 } from '@noble/hashes/sha2.js';
import { CURVES, power } from '../credential/ecdsa.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64url, toHex } from '../credential/encodings.ts';
import { numberOf } from '../credential/numberOf.ts';
import type { PublicJwk } from './jwk.ts';

/**
 * @param content what was signed
 * @param signature as JWS has it: r and s for ECDSA
 */
export function isSignedByJwk(suite: Suite, jwk: PublicJwk, content: Uint8Array, signature: Uint8Array): boolean {
  if (jwk.kty === 'OKP') return suite.verify(bytesOf(jwk.x), content, signature);
  if (jwk.kty === 'RSA') return isSignedByRsa(bytesOf(jwk.n), bytesOf(jwk.e), suite.sha256Bytes(content), signature);
  const hashes = { 'P-256': suite.sha256Bytes, 'P-384': sha384, 'P-521': sha512 };
  const key = { x: numberOf(bytesOf(jwk.x)), y: numberOf(bytesOf(jwk.y)) };
  return CURVES[jwk.crv].isSigned(key, hashes[jwk.crv](content), signature);
}

/** The DigestInfo of SHA-256 up to the hash (RFC 8017 section 9.2, note 1). */
const DIGEST_INFO = '3031300d060960864801650304020105000420';

/** RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.2): what comes out is compared as a whole, so that no byte of it is free. */
function isSignedByRsa(modulus: Uint8Array, exponent: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  const n = numberOf(modulus);
  const s = numberOf(signature);
  if (signature.length !== modulus.length || s >= n) return false;
  const end = `00${DIGEST_INFO}${toHex(digest)}`;
  const padded = `0001${'ff'.repeat(modulus.length - 2 - end.length / 2)}${end}`;
  return power(s, numberOf(exponent), n) === BigInt(`0x${padded}`);
}

function bytesOf(text: string): Uint8Array {
  return fromBase64url(text) ?? new Uint8Array();
}
