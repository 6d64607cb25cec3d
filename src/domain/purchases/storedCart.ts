/** Carts as they are kept: a credential as received, or around a cart mandate of AP2 or a checkout of UCP an object that only the node makes. */

import { readCartMandate } from '../../../protocol/ap2/cartMandate.ts';
import type { CartMandate } from '../../../protocol/ap2/mandateShapes.ts';
import { cartEndsAt } from '../../../protocol/cart.ts';
import { type CheckoutDocument, readCheckout } from '../../../protocol/ucp/checkout.ts';

export type StoredCart = Readonly<Record<string, unknown>>;

export function storeCartMandate(cartMandate: object): string {
  return JSON.stringify({ cartMandate });
}

/**
 * @returns the mandate as received; undefined where the cart is a credential. Every credential has a context, and the members
 * of neither decide what it is: some are the agent's to choose.
 */
export function cartMandateIn(stored: StoredCart): CartMandate | undefined {
  return '@context' in stored ? undefined : (stored['cartMandate'] as CartMandate);
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
  return '@context' in stored || !('checkout' in stored) ? undefined : (stored as unknown as StoredCheckout);
}

/** @returns when it ends, in milliseconds since the epoch, and whether the merchant wants a person to confirm it */
export function termsOfStored(stored: StoredCart): { readonly endsAt: number; readonly confirmed: boolean } {
  const kept = checkoutIn(stored);
  if (kept !== undefined) return { endsAt: readCheckout(kept.checkout, 'checkout').endsAt, confirmed: false };
  const mandate = cartMandateIn(stored);
  return mandate === undefined ? { endsAt: cartEndsAt(stored), confirmed: false } : readCartMandate(mandate);
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
