/** A chain of payment mandates, or the layers of an intent, as it was verified: whose it is, what it says, and what is wrong with it. */

import { detailsOfViolations, type PaymentCredentialRequest } from '../../../../protocol/ap2/paymentCredential.ts';
import type { PublicJwk } from '../../../../protocol/jwk/jwk.ts';
import type { ReasonDetails } from '../../../../protocol/reason.ts';
import type { MandateChain } from '../../../../protocol/sdjwt/mandateChain.ts';
import { readPresented } from '../../../../protocol/sdjwt/presentedMandate.ts';
import { sdHash } from '../../../../protocol/sdjwt/sdHash.ts';
import { parseChain, type SdJwt } from '../../../../protocol/sdjwt/sdJwt.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { nativeSignatureCheck } from '../../../crypto/nativeJwk.ts';
import type { MandateIssuerRow } from '../../../store/statements/registry/mandateIssuers.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { findTrust, type MandateTrust } from './mandateTrust.ts';

/** A chain as it was verified beforehand. */
export interface MandateRead {
  readonly details: ReasonDetails;
  /** Undefined where a hop does not hold. */
  readonly chain: MandateChain | undefined;
  /** Undefined where no trusted issuer began it. */
  readonly trust: MandateTrust | undefined;
  /** The key that began the checkout mandate beside it, where one was presented and trusted. */
  readonly checkoutRootKey: PublicJwk | undefined;
  readonly reference: string;
  readonly referenceSdHash: string;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** @throws Fault BAD_REQUEST for a text that is no chain of payment mandates */
export function readMandate(
  deps: Pick<Deps, 'settings' | 'suite'>,
  issuers: readonly MandateIssuerRow[],
  input: PaymentCredentialRequest,
  now: number,
): MandateRead {
  const presented = readPresented(input);
  const { root, leaf } = presented;
  const isSigned = nativeSignatureCheck(deps.suite);
  const signs = presented.profile === 'vi' ? 'cards' : 'mandates';
  const trustOf = (token: SdJwt) => findTrust(issuers, token, now, isSigned, signs);
  const at = Math.floor(now / 1000);
  const { nonce, checkoutJwtHash, checkoutJwt, openCheckoutHash, checkoutMandate } = input;
  const { violations, chain } = presented.verify({
    rootKey: (token) => trustOf(token)?.jwk,
    isSigned,
    aud: deps.settings.mandateAudiences,
    nonce,
    at,
    isPaidNow: true,
    checkoutJwtHash,
    checkoutJwt,
    openCheckoutHash,
    checkoutMandate,
  });
  const [checkoutRoot] = checkoutMandate === undefined ? [] : parseChain(checkoutMandate);
  if (chain !== undefined && chain.kind !== 'payment') {
    const message = 'must be a chain of payment mandates, and is one of checkout mandates';
    throw new Fault('BAD_REQUEST', `paymentMandate ${message}.`, [{ path: 'paymentMandate', message }]);
  }
  return {
    details: detailsOfViolations(violations),
    chain,
    trust: trustOf(root),
    checkoutRootKey: checkoutRoot && trustOf(checkoutRoot)?.jwk,
    reference: sdHash('sha-256', leaf.jwt),
    referenceSdHash: chain?.leafSdHash ?? sdHash('sha-256', leaf.text),
    at,
  };
}
