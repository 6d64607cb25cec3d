/** The request to pay a checkout session of ACP. */
import { z } from 'zod';
import { HttpPaymentRequest } from '../httpPayment.ts';
import { MerchantDomain } from '../policy/values/domain.ts';
import { anyObject } from '../wire/json.ts';

const { agentDid, principalDid, delegationId, instrument, replaces, approvalId, idempotencyKey } =
  HttpPaymentRequest.shape;

export const AcpCartRequest = z
  .object({
    agentDid,
    principalDid,
    delegationId,
    intentId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('The intent that it is bought by, which names the merchant; one is made of the session when absent.'),
    merchantDomain: MerchantDomain.describe('The domain of the shop that the session came from.'),
    session: anyObject().describe('The CheckoutSession (2026-04-17) as the shop sent it, with every member.'),
    instrument,
    replaces,
    approvalId,
    idempotencyKey,
  })
  .refine(
    ({ intentId, principalDid, delegationId }) =>
      intentId === undefined || (principalDid === undefined && delegationId === undefined),
    { path: ['intentId'], message: 'says whose money it is: principalDid and delegationId are its own' },
  );
export type AcpCartRequest = z.infer<typeof AcpCartRequest>;
