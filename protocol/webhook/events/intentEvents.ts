/** Events about intents. */
import { z } from 'zod';
import {
  AT,
  Details,
  GOVERNED,
  GovernedData,
  INTENT,
  OVER_CAP,
  REQUEST,
  ReasonCodes,
  RequestData,
  requestOf,
} from '../eventParts.ts';
import { pick, webhookEvent } from '../webhookEvent.ts';

export const INTENT_EVENTS = [
  webhookEvent({
    type: 'intent.issued',
    evidence: 'INTENT_ISSUED',
    name: 'An agent is given permission',
    docs: 'An agent asked for an intent, and the policy allows it. `hpRequired` says whether a person must approve the cart.',
    data: z.object({
      mandateId: z.string(),
      request: RequestData,
      hpRequired: z.boolean(),
      expiresAt: z.iso.datetime(),
      ...GovernedData,
    }),
    dataOf: (facts) => ({
      ...pick(facts, 'mandateId', 'hpRequired', 'expiresAt'),
      request: requestOf(facts),
      ...pick(facts, 'policyId', 'policyVersion', 'policyHash'),
    }),
    example: {
      mandateId: INTENT,
      request: REQUEST,
      hpRequired: true,
      expiresAt: '2026-11-21T08:47:41.449Z',
      ...GOVERNED,
    },
  }),
  webhookEvent({
    type: 'intent.denied',
    evidence: 'INTENT_DENIED',
    name: 'An agent is refused permission',
    docs: 'An agent asked for an intent, and the policy refuses it: `reasonCodes` has every reason, `details` the facts of each.',
    data: z.object({
      mandateId: z.string(),
      reasonCodes: ReasonCodes,
      details: Details,
      request: RequestData,
      policyId: z.string(),
    }),
    dataOf: (facts) => ({
      ...pick(facts, 'mandateId', 'reasonCodes', 'details', 'policyId'),
      request: requestOf(facts),
    }),
    example: {
      mandateId: INTENT,
      reasonCodes: ['AMOUNT_OVER_CAP'],
      details: OVER_CAP,
      request: { ...REQUEST, maxAmount: 500 },
      policyId: GOVERNED.policyId,
    },
  }),
  webhookEvent({
    type: 'intent.expired',
    evidence: 'INTENT_EXPIRED',
    name: 'A permission runs out',
    docs: 'An intent ended before it was used, since its time was over or its approval was denied, and its reservation is released.',
    data: z.object({ mandateId: z.string(), expiredAt: z.iso.datetime() }),
    dataOf: (facts) => pick(facts, 'mandateId', 'expiredAt'),
    example: { mandateId: INTENT, expiredAt: AT },
  }),
] as const;
