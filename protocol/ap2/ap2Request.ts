/** What is sent with a cart mandate of AP2, and what the sandbox makes of one. */
import { z } from 'zod';
import { CartRequest } from '../cart.ts';
import { DemoCart } from '../demo.ts';
import { anyObject } from '../wire/json.ts';

export const Ap2CartRequest = CartRequest.omit({ intentVc: true, cartVc: true }).extend({
  intentId: z.string().describe('The intent that the cart is for, `intent_…`.'),
  cartMandate: anyObject().describe('The CartMandate of AP2 v0.1 as the merchant made it, unchanged.'),
});
export type Ap2CartRequest = z.infer<typeof Ap2CartRequest>;

export const Ap2DemoCart = DemoCart.omit({ payerDid: true }).extend({
  confirmCart: z.boolean().default(false).describe('Whether the merchant wants a person to confirm the cart.'),
});
export type Ap2DemoCart = z.output<typeof Ap2DemoCart>;

export const Ap2DemoCartResult = z.object({ cartMandate: anyObject() });
export type Ap2DemoCartResult = z.infer<typeof Ap2DemoCartResult>;
