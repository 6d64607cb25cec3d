/** Which trusted issuer has signed the first mandate of a chain: by key, which a `kid` only narrows. */
import { PublicJwk } from '../../../protocol/ap2/jwk.ts';
import type { SignatureCheck } from '../../../protocol/sdjwt/hop.ts';
import type { SdJwt } from '../../../protocol/sdjwt/sdJwt.ts';
import { keyOfChain } from '../../crypto/certificates.ts';
import type { MandateIssuerRow } from '../../store/statements/registry/mandateIssuers.ts';

export interface MandateTrust {
  readonly issuer: MandateIssuerRow;
  /** The key that signed it: that of the issuer, or of a certificate below its root. */
  readonly jwk: PublicJwk;
}

/**
 * @param issuers of the tenant
 * @param at milliseconds since the epoch
 * @param signs mandates of AP2, or the credentials of cards with which Verifiable Intent begins: no issuer signs both
 * @returns undefined where none of them has signed it
 */
export function findTrust(
  issuers: readonly MandateIssuerRow[],
  root: SdJwt,
  at: number,
  isSigned: SignatureCheck,
  signs: 'mandates' | 'cards' = 'mandates',
): MandateTrust | undefined {
  const { alg, kid, x5c } = root.header;
  if (alg !== 'ES256') return undefined;
  for (const issuer of issuers) {
    if ((issuer.kind === 'card-issuer') !== (signs === 'cards')) continue;
    const jwk = issuer.jwk === null ? keyOfChain(x5c, String(issuer.x5c_root), at) : keyIn(issuer.jwk, kid);
    if (jwk !== undefined && isSigned(jwk, root.content, root.signature)) return { issuer, jwk };
  }
  return undefined;
}

function keyIn(text: string, kid: unknown): PublicJwk | undefined {
  const jwk = PublicJwk.parse(JSON.parse(text));
  return jwk.kid === undefined || kid === undefined || jwk.kid === kid ? jwk : undefined;
}
