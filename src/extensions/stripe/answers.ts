/**
 * What is read of Stripe's objects. They are parsed, never cast: an answer that is not what it should be says nothing, and
 * the payment stays open until one comes that does.
 */
import { z } from 'zod';

const Charge = z.object({
  currency: z.string(),
  amount_refunded: z.int().nonnegative(),
  payment_method_details: z.object({ card: z.object({ capture_before: z.int().nullish() }).nullish() }).nullish(),
});

export const IntentAnswer = z.object({
  id: z.string(),
  status: z.string(),
  currency: z.string(),
  amount_received: z.int().nonnegative(),
  metadata: z.record(z.string(), z.string()).default({}),
  last_payment_error: z
    .object({ code: z.string().nullish(), decline_code: z.string().nullish(), message: z.string().nullish() })
    .nullish(),
  /** Its id, or itself where it was asked for. */
  latest_charge: z.union([z.string(), Charge]).nullish(),
});
export type IntentAnswer = z.infer<typeof IntentAnswer>;

export const RefundAnswer = z.object({
  id: z.string(),
  status: z.string().nullish(),
  failure_reason: z.string().nullish(),
  charge: z.union([z.string(), Charge]).nullish(),
});
export type RefundAnswer = z.infer<typeof RefundAnswer>;

export const DisputeEvidence = z.object({ submission_count: z.int().nonnegative().nullish() });
export const DisputeAnswer = z.object({ id: z.string(), evidence_details: DisputeEvidence.nullish() });
