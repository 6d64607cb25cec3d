/** Whether a signature is by the key of a JWK: ES256, EdDSA and RS256 (RFC 7518, RFC 8037), at once and without a platform. */
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64url, toHex } from '../credential/encodings.ts';
import { numberOf } from '../credential/numberOf.ts';
import { isSignedByP256, power } from '../credential/p256.ts';
import type { PublicJwk } from './jwk.ts';

/**
 * @param content what was signed
 * @param signature as JWS has it: r and s for ES256
 */
export function isSignedByJwk(suite: Suite, jwk: PublicJwk, content: Uint8Array, signature: Uint8Array): boolean {
  if (jwk.kty === 'OKP') return suite.verify(bytesOf(jwk.x), content, signature);
  const digest = suite.sha256Bytes(content);
  if (jwk.kty === 'EC') {
    return isSignedByP256({ x: numberOf(bytesOf(jwk.x)), y: numberOf(bytesOf(jwk.y)) }, digest, signature);
  }
  return isSignedByRsa(bytesOf(jwk.n), bytesOf(jwk.e), digest, signature);
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
