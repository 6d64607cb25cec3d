/** What is sent to Stripe, made from a stored request alone, so that a repetition is the same to the byte. */
import type Stripe from 'stripe';
import type { RailRequest } from '../rail.ts';

/** The names under which our ids stand in Stripe's metadata, and by which a lost answer is found again. */
function metadataOf(request: RailRequest): { mandate: string; intent: string; transaction: string } {
  return { mandate: request.mandateId, intent: request.intentId, transaction: request.transactionId };
}

/** A hold on a card whose owner is not there: it is decided at once, and never waits for 3-D Secure. */
export function authorizeParams(
  request: RailRequest,
  amount: number,
  paymentMethod: string,
): Stripe.PaymentIntentCreateParams {
  return {
    amount,
    currency: request.currency.toLowerCase(),
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    ...(request.customer === undefined ? {} : { customer: request.customer }),
    capture_method: 'manual',
    confirm: true,
    off_session: true,
    error_on_requires_action: true,
    // The card belongs to this node's account, so the money goes through it, on behalf of the merchant's.
    ...(request.account === undefined
      ? {}
      : { on_behalf_of: request.account, transfer_data: { destination: request.account } }),
    metadata: metadataOf(request),
    expand: ['latest_charge'],
  };
}

export function captureParams(amount: number): Stripe.PaymentIntentCaptureParams {
  return { amount_to_capture: amount, expand: ['latest_charge'] };
}

export function cancelParams(): Stripe.PaymentIntentCancelParams {
  return { cancellation_reason: 'abandoned' };
}

export function refundParams(
  attemptKey: string,
  request: RailRequest,
  railId: string,
  amount: number,
): Stripe.RefundCreateParams {
  return {
    payment_intent: railId,
    amount,
    ...(request.account === undefined ? {} : { reverse_transfer: true }),
    metadata: { ...metadataOf(request), attempt: attemptKey },
    expand: ['charge'],
  };
}
