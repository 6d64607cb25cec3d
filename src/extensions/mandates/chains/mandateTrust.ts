/** Which trusted issuer has signed the first mandate of a chain: by key, which a `kid` only narrows. */

import type { Leaf } from '../../../../protocol/ap2/mandateIssuer.ts';
import { PublicJwk } from '../../../../protocol/jwk/jwk.ts';
import type { ReasonDetails } from '../../../../protocol/reason.ts';
import type { SignatureCheck } from '../../../../protocol/sdjwt/hop.ts';
import type { SdJwt } from '../../../../protocol/sdjwt/sdJwt.ts';
import { keyOfChain } from '../../../crypto/certificates.ts';
import type { MandateIssuerRow } from '../../../store/statements/registry/mandateIssuers.ts';

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
  // What names one certificate is asked before a root that begins chains of all below it.
  const named = issuers.filter(({ leaf }) => leaf !== null);
  for (const issuer of [...named, ...issuers.filter(({ leaf }) => leaf === null)]) {
    if ((issuer.kind === 'card-issuer') !== (signs === 'cards')) continue;
    const jwk = issuer.jwk === null ? keyBelow(issuer, x5c, at) : keyIn(issuer.jwk, kid);
    if (jwk !== undefined && isSigned(jwk, root.content, root.signature)) return { issuer, jwk };
  }
  return undefined;
}

function keyBelow({ x5c_root: root, leaf }: MandateIssuerRow, x5c: unknown, at: number): PublicJwk | undefined {
  return keyOfChain(x5c, String(root), at, leaf === null ? undefined : (JSON.parse(leaf) as Leaf));
}

/** Whether an issuer is a wallet's root alone: it stands for no person, as any customer of the wallet signs below it. */
export function isRootAlone({ kind, jwk, leaf }: MandateIssuerRow): boolean {
  return kind === 'user-credential' && jwk === null && leaf === null;
}

/** @returns why an issuer begins no chain that spends a principal's money; empty for an agent's own */
export function refuseRootAlone({ issuer }: MandateTrust, agentDid: string, principalDid: string): ReasonDetails {
  if (!isRootAlone(issuer) || principalDid === agentDid) return {};
  const message =
    'It was signed below a wallet’s root, which is of no person known here: it begins chains for an agent’s own money alone.';
  return { MANDATE_INVALID: { message } };
}

function keyIn(text: string, kid: unknown): PublicJwk | undefined {
  const jwk = PublicJwk.parse(JSON.parse(text));
  return jwk.kid === undefined || kid === undefined || jwk.kid === kid ? jwk : undefined;
}
