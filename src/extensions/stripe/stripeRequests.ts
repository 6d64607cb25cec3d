/** What is sent to Stripe, derived from a stored request alone, so that a repetition is identical. */
import type Stripe from 'stripe';
import { compact } from '../../../protocol/wire/compact.ts';
import type { RailRequest } from '../../rails/rail.ts';

/** The package sends a random key in place of an empty one, under which a repetition would be a second payment. */
export function under(key: string): { readonly idempotencyKey: string } {
  if (key === '') throw new Error('A request to Stripe needs an idempotency key.');
  return { idempotencyKey: key };
}

/** Our ids in Stripe's metadata, by which the object of a lost answer is found. */
function metadataOf(request: RailRequest): { mandate: string; intent: string; transaction: string } {
  return { mandate: request.mandateId, intent: request.intentId, transaction: request.transactionId };
}

/** A hold on a card whose owner is absent: it is decided at once, without 3-D Secure. */
export function authorizeParams(
  request: RailRequest,
  amount: number,
  paymentMethod: string,
): Stripe.PaymentIntentCreateParams {
  const { account } = request;
  return compact({
    amount,
    currency: request.currency.toLowerCase(),
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    customer: request.customer,
    capture_method: 'manual',
    confirm: true,
    off_session: true,
    error_on_requires_action: true,
    // The card is attached to this node's account, so the charge goes through it on behalf of the merchant's account.
    on_behalf_of: account,
    transfer_data: account === undefined ? undefined : { destination: account },
    metadata: metadataOf(request),
    expand: ['latest_charge'],
  });
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
  return compact({
    payment_intent: railId,
    amount,
    reverse_transfer: request.account === undefined ? undefined : true,
    metadata: { ...metadataOf(request), attempt: attemptKey },
    expand: ['charge'],
  });
}
