/** Verifies the checkout of UCP in a portable bundle: it is the one that was approved, and its business signed it. */

import type { Suite } from '../credential/ed25519.ts';
import { algorithmOf, PublicJwk } from '../jwk/jwk.ts';
import { isSignedByJwk } from '../jwk/jwkSignature.ts';
import { fromMinor } from '../money.ts';
import { readMerchantAuthorization } from '../sdjwt/merchantSignatures.ts';
import { hashCheckout, readCheckout } from '../ucp/checkout.ts';
import { Fault } from '../wire/fault.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { factsOf, factsOfCart, wrong } from './bundleFacts.ts';

export function checkoutFault(suite: Suite, bundle: PortableBundle): Wrong {
  const { checkout } = bundle.credentials;
  if (checkout === undefined) return undefined;
  const facts = factsOfCart(bundle);
  if (facts === undefined) return wrong('The checkout has no event.');
  if (hashCheckout(suite, String(facts['merchant']), checkout) !== facts['cartHash']) {
    return wrong('The checkout is not the one whose hash the evidence has.');
  }
  if (!statesTotal(checkout, facts)) return wrong('The checkout states another total than the evidence.');
  const read = readMerchantAuthorization(checkout);
  if ('fault' in read) return wrong(`The checkout does not hold: ${read.fault}`);
  const { jwk } = (factsOf(bundle, 'CART_VALIDATED')?.['merchantKey'] ?? {}) as { readonly jwk?: unknown };
  const key = PublicJwk.safeParse(jwk).data;
  const holds =
    key !== undefined && read.alg === algorithmOf(key) && isSignedByJwk(suite, key, read.content, read.signature);
  return holds ? undefined : wrong('The checkout does not hold: its signature is not by the key in the evidence.');
}

function statesTotal(checkout: Readonly<Record<string, unknown>>, facts: Readonly<Record<string, unknown>>): boolean {
  try {
    const { totalMinor, currency } = readCheckout(checkout, 'checkout');
    return fromMinor(totalMinor, currency) === facts['amount'] && currency === facts['currency'];
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
