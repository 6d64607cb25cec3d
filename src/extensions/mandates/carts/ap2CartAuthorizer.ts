/** Carts of AP2 v0.1 as they are paid: when one ends, and whether its shop wants a person to confirm it. */
import { readCartMandate } from '../../../../protocol/ap2/cartMandate.ts';
import { cartMandateIn, type StoredCart } from '../../../domain/purchases/storedCart.ts';
import type { Authorizer } from '../../../usecase/hooks.ts';

export const ap2CartAuthorizer: Authorizer = {
  name: 'ap2 carts',
  readCart(_deps, cart) {
    const mandate = cartMandateIn(cart as StoredCart);
    if (mandate === undefined) return undefined;
    const { endsAt, confirmed } = readCartMandate(mandate);
    return { endsAt, confirmed, key: null };
  },
};
