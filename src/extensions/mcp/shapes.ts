/** Schemas of tools, from those of use cases. Clients of the first generation take objects at the root, and no unions. */
import { z } from 'zod';
import { CartResult } from '../../../protocol/cart.ts';
import { HttpPaymentResult } from '../../../protocol/httpPayment.ts';
import { IntentResult } from '../../../protocol/intent.ts';
import { PaymentResult } from '../../../protocol/payment.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** One object with the members of each part of a union, all of them optional. */
function oneOf(union: z.ZodUnion<readonly z.ZodObject[]>): Record<string, z.ZodType> {
  const members: Record<string, z.ZodType> = {};
  for (const part of union.options) {
    for (const [name, schema] of Object.entries(part.shape as Shape)) members[name] = z.optional(schema);
  }
  return members;
}

const allowed = z.boolean().describe('False: refused by the policy, for the reasons in reasonCodes and details.');

export const IntentOutput = z.object({
  ...oneOf(IntentResult as never),
  allowed,
  intentId: z.string().optional().describe('For validate_cart.'),
});

export const CartOutput = z.object({ ...oneOf(CartResult as never), allowed });

export const PaymentOutput = z.object({
  ...oneOf(PaymentResult as never),
  allowed,
  mandateId: z.string().optional().describe('For check_status.'),
});

export const HttpPaymentOutput = z.object({ ...oneOf(HttpPaymentResult as never), allowed });
