/** Asks Stripe once whether the key holds. */
import Stripe from 'stripe';

type StripeCheck = { readonly kind: 'ok' } | { readonly kind: 'refused' | 'unreachable'; readonly reason: string };

/** A key that may not read the balance is a good key all the same: restricted ones often may not. */
export async function checkStripe(stripe: Stripe): Promise<StripeCheck> {
  try {
    await stripe.balance.retrieve();
    return { kind: 'ok' };
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return { kind: 'ok' };
    if (error instanceof Stripe.errors.StripeAuthenticationError) {
      return { kind: 'refused', reason: 'Stripe does not know it, or it was revoked' };
    }
    const cause = error instanceof Stripe.errors.StripeConnectionError ? error.detail : error;
    return { kind: 'unreachable', reason: cause instanceof Error ? cause.message : String(cause) };
  }
}
