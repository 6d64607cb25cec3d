/** Verifies the cart mandate of AP2 in a portable bundle: it is the one that was approved, and its merchant signed it. */
import { hashCartMandate, readCartMandate } from '../ap2/cartMandate.ts';
import { type Authorization, contentsFault, readAuthorization } from '../ap2/merchantAuthorization.ts';
import type { Suite } from '../credential/ed25519.ts';
import { algorithmOf, PublicJwk } from '../jwk/jwk.ts';
import { isSignedByJwk } from '../jwk/jwkSignature.ts';
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
  const content = new TextEncoder().encode(signed.content);
  const holds = algorithmOf(jwk) === signed.algorithm && isSignedByJwk(suite, jwk, content, signed.signature);
  return holds ? undefined : 'its signature is not by the key in the evidence';
}
