/** Finds at Stripe the object whose answer never arrived. */
import Stripe from 'stripe';
import { compact } from '../../../protocol/wire/compact.ts';
import type { RailAttempt } from '../rail.ts';

/** How much Stripe's clock and ours may differ. */
const CLOCK_SKEW_SECONDS = 300;
/** No attempt is repeated later than this after the first try. */
const LATEST_SECONDS = 25 * 3600;
const PAGE = 100;

/**
 * The payment intent of a mandate, by its metadata. It looks in the list, which is complete at once; Stripe's search
 * index lags behind.
 */
export async function findIntent(stripe: Stripe, attempt: RailAttempt): Promise<Stripe.PaymentIntent | undefined> {
  const since = Math.floor(attempt.createdAt / 1000) - CLOCK_SKEW_SECONDS;
  const params = compact({
    created: { gte: since, lte: since + LATEST_SECONDS + 2 * CLOCK_SKEW_SECONDS },
    customer: attempt.request.customer,
    limit: PAGE,
    expand: ['data.latest_charge'],
  });
  const list = stripe.paymentIntents.list(params);
  for await (const intent of list) if (intent.metadata.mandate === attempt.key) return intent;
  return undefined;
}

/** Undefined when there is no such payment. */
export async function retrieveIntent(stripe: Stripe, railId: string): Promise<Stripe.PaymentIntent | undefined> {
  try {
    return await stripe.paymentIntents.retrieve(railId, { expand: ['latest_charge'] });
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return undefined;
    throw error;
  }
}

/** The refund that an attempt made. */
export async function findRefund(
  stripe: Stripe,
  railId: string,
  attemptKey: string,
): Promise<Stripe.Refund | undefined> {
  const list = stripe.refunds.list({ payment_intent: railId, limit: PAGE, expand: ['data.charge'] });
  for await (const refund of list) if (refund.metadata?.attempt === attemptKey) return refund;
  return undefined;
}
