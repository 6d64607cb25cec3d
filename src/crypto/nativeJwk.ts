/** Signatures by keys in JWK form, by node:crypto (OpenSSL): many times as fast as the plain check of protocol/jwk/jwkSignature.ts. */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { algorithmOf } from '../../protocol/jwk/jwk.ts';
import { isSignedByJwk } from '../../protocol/jwk/jwkSignature.ts';
import type { SignatureCheck } from '../../protocol/sdjwt/hop.ts';

const HASHES = { ES256: 'sha256', ES384: 'sha384', ES512: 'sha512', RS256: 'sha256' } as const;

export function nativeSignatureCheck(suite: Suite): SignatureCheck {
  return (jwk, content, signature) => {
    // By the strict rule that every reader of Ed25519 signatures has here.
    const algorithm = algorithmOf(jwk);
    if (algorithm === 'EdDSA') return isSignedByJwk(suite, jwk, content, signature);
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return verify(HASHES[algorithm], content, jwk.kty === 'EC' ? { key, dsaEncoding: 'ieee-p1363' } : key, signature);
  };
}
