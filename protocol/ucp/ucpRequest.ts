/** What is sent with a checkout of UCP. */
import { z } from 'zod';
import { CartRequest } from '../cart.ts';
import { MerchantDomain } from '../policy/values/domain.ts';
import { anyObject } from '../wire/json.ts';

export const UcpCartRequest = CartRequest.omit({ intentVc: true, cartVc: true }).extend({
  intentId: z.string().describe('The intent that the checkout is for, `intent_…`.'),
  merchantDomain: MerchantDomain.describe('The domain of the business that the checkout came from.'),
  checkout: anyObject().describe('The checkout as the business sent it, unchanged, with `ap2.merchant_authorization`.'),
  checkoutJwt: z
    .string()
    .min(1)
    .max(65_536)
    .optional()
    .describe('The JWT by which the business signed the whole checkout, where it made one; the node makes one else.'),
});
export type UcpCartRequest = z.infer<typeof UcpCartRequest>;
