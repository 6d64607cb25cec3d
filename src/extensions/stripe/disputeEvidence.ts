/** Gives Stripe what answers a dispute (https://docs.stripe.com/api/disputes/update): staged in the dashboard, or submitted to the bank. */
import Stripe from 'stripe';
import { z } from 'zod';
import type { DisputeAnswer as Words } from '../../../protocol/dispute/disputeAnswer.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { DisputeAnswer } from './answers.ts';

/** Its fields are overwritten, and those that a person filled in the dashboard besides stay. */
export function giveEvidence(
  stripe: Stripe,
  disputeId: string,
  { product, activity, summary }: Words,
  submit: boolean,
): Promise<number> {
  const evidence = { product_description: product, access_activity_log: activity, uncategorized_text: summary };
  return counted('refused the evidence', () => stripe.disputes.update(disputeId, { evidence, submit }));
}

export function countSubmissions(stripe: Stripe, disputeId: string): Promise<number> {
  return counted('shows no such dispute', () => stripe.disputes.retrieve(disputeId));
}

async function counted(refused: string, ask: () => Promise<object>): Promise<number> {
  try {
    const { evidence_details: details } = DisputeAnswer.parse(await ask());
    return details?.submission_count ?? 0;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && [400, 403, 404].includes(error.statusCode ?? 0)) {
      throw new Fault('CONFLICT', `Stripe ${refused}: ${error.message}`);
    }
    if (error instanceof Stripe.errors.StripeError || error instanceof z.ZodError) {
      throw new Fault('UNAVAILABLE', 'Stripe has not answered; ask again: the same evidence is given once.');
    }
    throw error;
  }
}
