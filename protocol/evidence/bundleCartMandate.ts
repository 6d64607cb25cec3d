/** Verifies the cart mandate of AP2 in a portable bundle: it is the one that was approved, and its merchant signed it. */
import { hashCartMandate, readCartMandate } from '../ap2/cartMandate.ts';
import { PublicJwk } from '../ap2/jwk.ts';
import {
  type Authorization,
  contentsFault,
  isSignedByEd25519,
  readAuthorization,
} from '../ap2/merchantAuthorization.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromMinor } from '../money.ts';
import { Fault } from '../wire/fault.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { factsOf, factsOfCart, wrong } from './bundleFacts.ts';

export function cartMandateFault(suite: Suite, bundle: PortableBundle): Wrong {
  const { cartMandate } = bundle.credentials;
  if (cartMandate === undefined) return undefined;
  const facts = factsOfCart(bundle);
  if (facts === undefined) return wrong('The cart mandate has no event.');
  const signed = readAuthorization(cartMandate.merchant_authorization);
  if ('fault' in signed) return wrong(`The cart mandate does not hold: ${signed.fault}.`);
  const { contents } = cartMandate;
  if (
    signed.merchant !== facts['merchant'] ||
    hashCartMandate(suite, signed.merchant, contents) !== facts['cartHash']
  ) {
    return wrong('The cart mandate is not the one whose hash the evidence has.');
  }
  if (!statesTotal(cartMandate, facts)) return wrong('The cart mandate states another total than the evidence.');
  const fault = contentsFault(suite, signed, contents) ?? signatureFault(suite, signed, keyOf(bundle));
  return fault === undefined ? undefined : wrong(`The cart mandate does not hold: ${fault}.`);
}

/** A signature that plain JavaScript cannot verify at once, with its key in the evidence. */
export interface UncheckedSignature {
  readonly signed: Authorization;
  readonly jwk: PublicJwk;
}

/** @returns undefined where the bundle has none; it has been verified otherwise (see cartMandateFault) */
export function uncheckedSignature(bundle: PortableBundle): UncheckedSignature | undefined {
  const signed = readAuthorization(bundle.credentials.cartMandate?.merchant_authorization);
  const jwk = keyOf(bundle);
  return 'fault' in signed || signed.algorithm === 'EdDSA' || jwk === undefined ? undefined : { signed, jwk };
}

function statesTotal(cartMandate: object, facts: Readonly<Record<string, unknown>>): boolean {
  try {
    const { totalMinor, currency } = readCartMandate(cartMandate);
    return fromMinor(totalMinor, currency) === facts['amount'] && currency === facts['currency'];
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** The key that verified the signature, as the evidence has it. */
function keyOf(bundle: PortableBundle): PublicJwk | undefined {
  const { jwk } = (factsOf(bundle, 'CART_VALIDATED')?.['merchantKey'] ?? {}) as { readonly jwk?: unknown };
  return PublicJwk.safeParse(jwk).data;
}

function signatureFault(suite: Suite, signed: Authorization, jwk: PublicJwk | undefined): string | undefined {
  if (jwk === undefined) return 'the evidence does not have its key';
  if (signed.algorithm !== 'EdDSA') return undefined;
  return isSignedByEd25519(suite, signed, jwk) ? undefined : 'its signature is not by the key in the evidence';
}
