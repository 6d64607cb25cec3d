/** Signatures by keys in JWK form, by node:crypto (OpenSSL): many times as fast as the plain check of protocol/ap2/jwkSignature.ts. */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { isSignedByJwk } from '../../protocol/ap2/jwkSignature.ts';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import type { SignatureCheck } from '../../protocol/sdjwt/hop.ts';

export function nativeSignatureCheck(suite: Suite): SignatureCheck {
  return (jwk, content, signature) => {
    // By the strict rule that every reader of Ed25519 signatures has here.
    if (jwk.kty === 'OKP') return isSignedByJwk(suite, jwk, content, signature);
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return verify('sha256', content, jwk.kty === 'EC' ? { key, dsaEncoding: 'ieee-p1363' } : key, signature);
  };
}
