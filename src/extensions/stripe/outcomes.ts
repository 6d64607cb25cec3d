/** Translates Stripe's answers (a payment intent's state, a refund's, an error) into outcomes of an operation. */
import Stripe from 'stripe';
import { fromStripeAmount } from '../../../protocol/mpp/stripeAmount.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { RailOperationName, RailOutcome, RailSnapshot } from '../../rails/rail.ts';
import { IntentAnswer, type RefundAnswer } from './answers.ts';

type Decline = Extract<RailOutcome, { kind: 'declined' | 'actionRequired' }>;

/** The outcome of an authorization, from the intent it made. */
export function outcomeOfAuthorization(intent: IntentAnswer): RailOutcome {
  const { id: railId, status } = intent;
  switch (status) {
    case 'requires_capture':
    case 'succeeded':
      return compact({ kind: 'ok' as const, railId, status, holdUntil: holdOf(intent) });
    case 'requires_payment_method':
    case 'requires_action': {
      const error = intent.last_payment_error;
      return refusal(error?.code ?? 'authentication_required', error?.decline_code, error?.message, railId);
    }
    case 'canceled':
      return { kind: 'declined', railId, code: 'canceled', message: 'The payment was canceled at Stripe.' };
    default:
      return { kind: 'unknown', reason: `Stripe has not decided yet: the payment intent is ${status}.` };
  }
}

/** A pending refund counts as done; Stripe reverses one only when the card's bank cannot be reached. */
export function outcomeOfRefund(refund: RefundAnswer): RailOutcome {
  const { id, status } = refund;
  if (status === 'failed' || status === 'canceled') {
    return { kind: 'declined', code: refund.failure_reason ?? 'refund_failed', message: 'Stripe could not refund it.' };
  }
  const charge = typeof refund.charge === 'object' ? refund.charge : null;
  const refundedMinor = charge ? fromStripeAmount(charge.amount_refunded, charge.currency.toUpperCase()) : undefined;
  return compact({ kind: 'ok' as const, railId: id, status: status ?? 'pending', refundedMinor });
}

/**
 * The outcome of an error. It is `unknown` wherever Stripe may or may not have acted: no connection, half an answer, a
 * request still in progress (409), too many requests (429), an invalid key (401), Stripe's own failures (5xx).
 */
export function outcomeOfError(error: unknown, operation: RailOperationName): RailOutcome {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { statusCode, code, message } = error;
  const undecided =
    statusCode === undefined ||
    statusCode >= 500 ||
    [401, 409, 429].includes(statusCode) ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeAPIError;
  if (undecided) return { kind: 'unknown', reason: `Stripe gave no answer to go by (${error.type}).` };
  const { data: intent } = IntentAnswer.safeParse(error.payment_intent);
  if (operation === 'cancel' && intent?.status === 'canceled') {
    return { kind: 'ok', railId: intent.id, status: 'canceled' };
  }
  return refusal(code ?? error.type, error.decline_code, message, intent?.id);
}

function refusal(
  code: string,
  declineCode: string | null | undefined,
  message: string | null | undefined,
  railId?: string,
): Decline {
  // The package gives an empty code where Stripe gave none.
  const specific = !declineCode || declineCode === 'generic_decline' ? code : declineCode;
  const kind: Decline['kind'] = specific === 'authentication_required' ? 'actionRequired' : 'declined';
  return compact({ kind, code: specific, message: message ?? 'Declined.', railId });
}

/** The state of a payment, from its intent. */
export function snapshotOf(intent: IntentAnswer): RailSnapshot {
  const currency = intent.currency.toUpperCase();
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const outcome = outcomeOfAuthorization(intent);
  return {
    railId: intent.id,
    mandateId: intent.metadata.mandate,
    state: stateOf(intent),
    capturedMinor: fromStripeAmount(intent.amount_received, currency),
    refundedMinor: charge == null ? undefined : fromStripeAmount(charge.amount_refunded, currency),
    holdUntil: holdOf(intent),
    error: 'code' in outcome ? { code: outcome.code, message: outcome.message } : undefined,
  };
}

function stateOf({ status, last_payment_error: error }: IntentAnswer): RailSnapshot['state'] {
  if (status === 'requires_capture') return 'authorized';
  if (status === 'succeeded') return 'captured';
  if (status === 'canceled') return 'canceled';
  // A first refusal is final: no person is present to try another card.
  return (status === 'requires_payment_method' && error != null) || status === 'requires_action' ? 'failed' : 'open';
}

function holdOf({ latest_charge: charge }: IntentAnswer): number | undefined {
  const seconds = typeof charge === 'object' ? charge?.payment_method_details?.card?.capture_before : undefined;
  return seconds == null ? undefined : seconds * 1000;
}
