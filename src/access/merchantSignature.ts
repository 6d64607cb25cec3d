/** Verifies the signature of a merchant's JWT (RFC 7515) with one key. */
import { compactVerify, type JWK } from 'jose';
import { type Authorization, isSignedByEd25519 } from '../../protocol/ap2/merchantAuthorization.ts';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { toBase64url } from '../../protocol/credential/encodings.ts';
import type { PublicJwk } from '../../protocol/jwk/jwk.ts';

export async function isSignedBy(suite: Suite, signed: Authorization, jwk: PublicJwk): Promise<boolean> {
  const { algorithm, content, signature } = signed;
  if (algorithm === 'EdDSA') return isSignedByEd25519(suite, signed, jwk);
  try {
    await compactVerify(`${content}.${toBase64url(signature)}`, { ...jwk } as JWK, { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
}
