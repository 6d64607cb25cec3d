/**
 * Whether a business signed a checkout of UCP. What the checkout says is looked at first, then the keys that are there, and only
 * for an intent that can pay it is any fetched.
 */

import { isDeterministic, type SignatureAlgorithm } from '../../../../protocol/jwk/jwk.ts';
import {
  type AuthorizationFault,
  isUnpredictable,
  type MerchantAuthorization,
  readMerchantAuthorization,
} from '../../../../protocol/sdjwt/merchantSignatures.ts';
import type { CheckoutDocument } from '../../../../protocol/ucp/checkout.ts';
import { isBusinessJwt } from '../../../../protocol/ucp/checkoutJwt.ts';
import { nativeSignatureCheck } from '../../../crypto/nativeJwk.ts';
import { keysAtHand, type NamedKey, profileKeysElsewhere } from '../../../domain/merchants/merchantKeys.ts';
import type { MerchantRow } from '../../../store/statements/registry/merchants.ts';
import type { Deps } from '../../../usecase/deps.ts';

/** A checkout as it was sent. */
interface SentCheckout {
  readonly checkout: CheckoutDocument;
  readonly checkoutJwt: string | undefined;
  /** The domain of the business. */
  readonly merchant: string;
}

/** What the node knows of the business before anything is fetched. */
interface KnownBusiness {
  readonly bound: readonly MerchantRow[];
  /** Why nothing is fetched. */
  readonly obstacle: string | undefined;
}

/** ECDSA as UCP has it, and EdDSA, by which merchants here sign their other carts. */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'EdDSA'] as const;

/** @returns the key that signed it, or one sentence with UCP's word for it */
export async function verifyCheckout(
  deps: Pick<Deps, 'keys' | 'suite'>,
  sent: SentCheckout,
  { bound, obstacle }: KnownBusiness,
): Promise<NamedKey | AuthorizationFault> {
  const { checkout, checkoutJwt, merchant } = sent;
  const read = readMerchantAuthorization(checkout);
  if ('fault' in read) return read;
  const algorithm = ALGORITHMS.find((each) => each === read.alg);
  if (algorithm === undefined) {
    return invalid(`Its ap2.merchant_authorization is signed by ${read.alg}, not by ${ALGORITHMS.join(', ')}.`);
  }
  if (isDeterministic(algorithm) && !isUnpredictable(checkout)) {
    return invalid(`It can be guessed: signed by ${algorithm}, it needs an id of 16 characters.`);
  }
  // The node would sign as the platform what the business did not.
  const unsigned = Object.keys(checkout['ap2'] as object).find((name) => name !== 'merchant_authorization');
  if (unsigned !== undefined)
    return invalid(`Its ap2 has the member ${JSON.stringify(unsigned)}, which is not signed.`);
  const signed = { ...read, algorithm };
  const signer = await findSigner(deps, signed, merchant, { bound, obstacle });
  if ('fault' in signer || checkoutJwt === undefined) return signer;
  if (isBusinessJwt(checkoutJwt, checkout, signer.jwk, nativeSignatureCheck(deps.suite))) return signer;
  return invalid('The checkoutJwt is not the same checkout, signed by the same key.');
}

type CheckoutSignature = MerchantAuthorization & { readonly algorithm: SignatureAlgorithm };

async function findSigner(
  deps: Pick<Deps, 'keys' | 'suite'>,
  signed: CheckoutSignature,
  merchant: string,
  { bound, obstacle }: KnownBusiness,
): Promise<NamedKey | AuthorizationFault> {
  const atHand = signerAmong(deps, signed, keysAtHand(deps, bound, signed));
  if (atHand !== undefined) return atHand;
  const sources = profileKeysElsewhere(deps, merchant, bound, signed);
  if (sources.length > 0 && obstacle !== undefined) return invalid(`Its key was not fetched, since ${obstacle}.`);
  for (const { issuer, fetch } of sources) {
    const signer = signerAmong(
      deps,
      signed,
      (await fetch()).map((jwk) => ({ issuer, jwk })),
    );
    if (signer !== undefined) return signer;
  }
  return invalid(`No key of ${merchant} has signed it as it is.`);
}

function signerAmong(
  deps: Pick<Deps, 'suite'>,
  signed: CheckoutSignature,
  keys: readonly NamedKey[],
): NamedKey | undefined {
  const isSigned = nativeSignatureCheck(deps.suite);
  return keys.find(({ jwk }) => isSigned(jwk, signed.content, signed.signature));
}

function invalid(fault: string): AuthorizationFault {
  return { fault, ucp: 'merchant_authorization_invalid' };
}
