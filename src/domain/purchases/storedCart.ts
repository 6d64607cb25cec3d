/** Carts as they are kept: a credential as received, or around a cart mandate of AP2 or a checkout of UCP an object that only the node makes. */

import type { CartMandate } from '../../../protocol/ap2/mandateShapes.ts';
import { cartEndsAt } from '../../../protocol/cart.ts';
import type { CheckoutDocument } from '../../../protocol/ucp/checkout.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { CartTerms } from '../../usecase/hooks.ts';

export type StoredCart = Readonly<Record<string, unknown>>;

export function storeCartMandate(cartMandate: object): string {
  return JSON.stringify({ cartMandate });
}

/** Every credential has a context, and no other member decides what a cart is: some are the agent's to choose. */
function isCredential(stored: StoredCart): boolean {
  return '@context' in stored;
}

/** @returns the mandate as received; undefined where the cart is something else */
export function cartMandateIn(stored: StoredCart): CartMandate | undefined {
  return isCredential(stored) ? undefined : (stored['cartMandate'] as CartMandate | undefined);
}

export function storeCheckout(checkout: CheckoutDocument, checkoutJwt: string | undefined): string {
  return JSON.stringify({ checkout, checkoutJwt });
}

/** A checkout as received, with the JWT that its business made of it. */
interface StoredCheckout {
  readonly checkout: CheckoutDocument;
  readonly checkoutJwt?: string;
}

/** @returns undefined where the cart is something else */
export function checkoutIn(stored: StoredCart): StoredCheckout | undefined {
  return isCredential(stored) || !('checkout' in stored) ? undefined : (stored as unknown as StoredCheckout);
}

/** Of a cart that the node made of a chain: what the closed mandate names, and what of the cart the shop has signed. */
export interface CartOfMandate {
  readonly mandate: object;
  readonly signedByShop: { readonly items?: boolean; readonly name?: string };
}

/** @param stored one that the node made of a chain */
export function mandateIn(stored: StoredCart): CartOfMandate {
  const { mandate = {}, signedByShop = {} } = (stored['credentialSubject'] ?? {}) as Partial<CartOfMandate>;
  return { mandate, signedByShop };
}

/** @param cart as it was kept @returns undefined for one of an extension that the node runs without */
export function readCart(
  deps: Pick<Deps, 'operations' | 'suite'>,
  cart: StoredCart,
  merchant: string,
): CartTerms | undefined {
  if (isCredential(cart)) return { endsAt: cartEndsAt(cart), confirmed: false, key: null };
  for (const each of deps.operations.hooks.authorizers) {
    const terms = each.readCart?.(deps, cart, merchant);
    if (terms !== undefined) return terms;
  }
  return undefined;
}
