/** The sandbox's help for AP2: the demo merchant signs a cart mandate as a merchant of any domain would. */

import { Ap2DemoCart, Ap2DemoCartResult } from '../../../../protocol/ap2/ap2Request.ts';
import { authorizeCart } from '../../../../protocol/ap2/merchantAuthorization.ts';
import { cartTotalMinor, minorOfItems } from '../../../../protocol/cart.ts';
import { keyId } from '../../../../protocol/credential/did.ts';
import { fromMinor } from '../../../../protocol/money.ts';
import { isoTime, issuedAtSeconds } from '../../../../protocol/wire/time.ts';
import { minorAt } from '../../../domain/purchases/purchaseFacts.ts';
import { CART_TTL_SECONDS, demoKeys } from '../../../domain/sandbox/demoKeys.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { inOneRead, useCase } from '../../../usecase/useCase.ts';

export const demoAp2Cart = useCase({
  summary: 'Creates a cart mandate of AP2 v0.1, signed by the sandbox’s demo merchant.',
  input: Ap2DemoCart,
  output: Ap2DemoCartResult,
  permission: 'write',
  sandboxOnly: true,
  run: inOneRead<Ap2DemoCart, Ap2DemoCartResult>(function* (deps, _caller, input, now) {
    const { merchant } = demoKeys(deps);
    const contents = contentsOf(deps, input, now);
    const iat = issuedAtSeconds(now);
    const { domain } = input;
    const claims = { iss: `https://${domain}`, aud: deps.settings.baseUrl, jti: deps.newToken(''), iat };
    const merchant_authorization = authorizeCart(deps.suite, merchant, contents, {
      ...claims,
      kid: keyId(merchant.did),
      exp: Math.floor(now / 1000) + CART_TTL_SECONDS,
    });
    return { cartMandate: { contents, merchant_authorization, risk_payload: null } };
  }),
});

/** As the Python models write them. */
function contentsOf(deps: Pick<Deps, 'newId'>, input: Ap2DemoCart, now: number): object {
  const { domain, amount, currency, confirmCart, items } = input;
  const item = (label: string, value: number) => ({
    label,
    amount: { currency, value },
    pending: null,
    refund_period: 30,
  });
  const total = fromMinor(minorAt('amount', amount, currency), currency);
  const listed = items ?? [{ name: 'Demo item', price: total, quantity: 1 }];
  cartTotalMinor({ merchant: domain, items: listed, total, currency });
  return {
    id: deps.newId('cart_'),
    user_cart_confirmation_required: confirmCart,
    payment_request: {
      method_data: [{ supported_methods: 'CARD', data: {} }],
      details: {
        id: deps.newId('order_'),
        // An item of AP2 has no quantity.
        display_items: listed.map(({ name, price, quantity }) =>
          item(
            quantity === 1 ? name : `${quantity} × ${name}`,
            fromMinor(Number(minorOfItems({ items: [{ name, price, quantity }], currency })), currency),
          ),
        ),
        shipping_options: null,
        modifiers: null,
        total: item('Total', total),
      },
      options: null,
      shipping_address: null,
    },
    cart_expiry: isoTime(now + CART_TTL_SECONDS * 1000),
    merchant_name: `Demo shop at ${domain}`,
  };
}
