/** The key that signs HTTP requests: the node's own, derived from the root key, and used for nothing else. */
import type { Signer, Suite } from '../../../protocol/credential/ed25519.ts';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import type { RequestJwk } from '../../../protocol/httpSignatures/keyDirectory.ts';
import { jwkOfDid, thumbprint } from '../../../protocol/jwk/jwk.ts';
import type { Sealer } from '../../crypto/seal.ts';

interface RequestKey {
  readonly signer: Signer;
  readonly jwk: RequestJwk;
}

/** @param sealer of another root key makes another key; what the former one signed has ended after minutes */
export function requestKey({
  suite,
  sealer,
}: {
  readonly suite: Suite;
  readonly sealer: Pick<Sealer, 'derive'>;
}): RequestKey {
  const signer = suite.signer(sealer.derive('http-signatures', 32));
  const x = toBase64url(signer.publicKey);
  const kid = keyidOf(suite, signer.did);
  return { signer, jwk: { kty: 'OKP', crv: 'Ed25519', kid, x, alg: 'EdDSA', use: 'sig' } };
}

/** As signatures name a key. @param did a did:key */
export function keyidOf(suite: Suite, did: string): string {
  return thumbprint(suite, jwkOfDid(did));
}
