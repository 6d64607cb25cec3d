/** Gives Stripe what answers a dispute (https://docs.stripe.com/api/disputes/update): staged in the dashboard, or submitted to the bank. */
import Stripe from 'stripe';
import type { DisputeAnswer } from '../../../protocol/dispute/disputeAnswer.ts';
import { Fault } from '../../../protocol/wire/fault.ts';

/** Its fields are overwritten, and those that a person filled in the dashboard besides stay. */
export async function giveEvidence(
  stripe: Stripe,
  disputeId: string,
  { product, activity, summary }: DisputeAnswer,
  submit: boolean,
): Promise<void> {
  const evidence = { product_description: product, access_activity_log: activity, uncategorized_text: summary };
  try {
    await stripe.disputes.update(disputeId, { evidence, submit });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { statusCode, message } = error;
    if (statusCode === 400 || statusCode === 403 || statusCode === 404) {
      throw new Fault('CONFLICT', `Stripe refused the evidence: ${message}`);
    }
    throw new Fault('UNAVAILABLE', 'Stripe has not answered; ask again: the same evidence is given once.');
  }
}
