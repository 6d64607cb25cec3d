/** Events about carts. */
import { z } from 'zod';
import { CART, Details, GOVERNED, GovernedData, INTENT, MONEY, MoneyData, ReasonCodes } from '../eventParts.ts';
import { pick, webhookEvent } from '../webhookEvent.ts';

export const CART_EVENTS = [
  webhookEvent({
    type: 'cart.validated',
    evidence: 'CART_VALIDATED',
    name: 'A cart is accepted',
    docs: 'A merchant’s signed cart matches the intent and the policy, and is approved for payment until `approvalExpiresAt`.',
    data: z.object({
      intentId: z.string(),
      cartHash: z.string(),
      merchant: z.string(),
      ...MoneyData,
      rail: z.string(),
      approvalExpiresAt: z.iso.datetime(),
      ...GovernedData,
    }),
    dataOf: (facts) =>
      pick(
        facts,
        'intentId',
        'cartHash',
        'merchant',
        'amount',
        'currency',
        'rail',
        'approvalExpiresAt',
        'policyId',
        'policyVersion',
        'policyHash',
      ),
    example: {
      intentId: INTENT,
      cartHash: CART,
      merchant: 'shop.example',
      ...MONEY,
      rail: 'CARD_RAIL',
      approvalExpiresAt: '2026-11-21T07:52:41.449Z',
      ...GOVERNED,
    },
  }),
  webhookEvent({
    type: 'cart.rejected',
    evidence: 'CART_REJECTED',
    name: 'A cart is not accepted',
    docs: 'A cart is refused, when it is validated or when it is checked again before payment. `policyId` is missing where no policy was applied.',
    data: z.object({
      intentId: z.string(),
      cartHash: z.string(),
      merchant: z.string(),
      ...MoneyData,
      reasonCodes: ReasonCodes,
      details: Details,
      policyId: z.string().optional(),
    }),
    dataOf: (facts) =>
      pick(facts, 'intentId', 'cartHash', 'merchant', 'amount', 'currency', 'reasonCodes', 'details', 'policyId'),
    example: {
      intentId: INTENT,
      cartHash: CART,
      merchant: 'shop.example',
      ...MONEY,
      reasonCodes: ['HP_REQUIRED'],
      details: { HP_REQUIRED: { message: 'A person must be present for 129.50 USD.' } },
      policyId: GOVERNED.policyId,
    },
  }),
] as const;
