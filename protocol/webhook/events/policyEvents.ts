/** Events about policies. */
import { z } from 'zod';
import { Details, GOVERNED, GovernedData, INTENT } from '../eventParts.ts';
import { pick, webhookEvent } from '../webhookEvent.ts';

export const POLICY_EVENTS = [
  webhookEvent({
    type: 'policy.updated',
    evidence: 'POLICY_UPDATED',
    name: 'A policy changes',
    docs: 'A policy has a new version. `isActive` says whether it is the current policy.',
    data: z.object({ ...GovernedData, name: z.string(), isActive: z.boolean() }),
    dataOf: (facts) => pick(facts, 'policyId', 'policyVersion', 'policyHash', 'name', 'isActive'),
    example: { ...GOVERNED, name: 'Household', isActive: true },
    context: {},
  }),
  webhookEvent({
    type: 'policy.violation',
    name: 'A request breaks a limit',
    docs: 'Sent beside `intent.denied` or `cart.rejected` when the refusal is a violation, and not only an amount over the cap: `VELOCITY_BREACH` for `VELOCITY_EXCEEDED` or `SPENDING_LIMIT_EXCEEDED`, `ANOMALY` for `ANOMALY_DETECTED`, `DENIED_MERCHANT` for `MERCHANT_DENIED`. `details` has the facts by reason code, `mandateId` is the intent’s id. `UNRESERVED_SPEND` is a line of a statement that no reservation explains; it has no `mandateId`.',
    data: z.object({
      violationType: z.enum(['VELOCITY_BREACH', 'ANOMALY', 'DENIED_MERCHANT', 'UNRESERVED_SPEND']),
      details: Details,
      mandateId: z.string().optional(),
      policyId: z.string().optional(),
    }),
    example: {
      violationType: 'VELOCITY_BREACH',
      details: {
        VELOCITY_EXCEEDED: { requested: 11, limit: 10, message: 'This would be purchase 11 of 10 within 1 hour.' },
      },
      mandateId: INTENT,
      policyId: GOVERNED.policyId,
    },
  }),
] as const;
