/** The double's payment intents: created and confirmed at once, then captured or canceled. */
import { type Form, formOf, textOf } from './form.ts';
import { invalid, Refusal } from './refusal.ts';

export interface Intent {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customer: string | null;
  readonly transfer_data: { readonly destination: string } | null;
  status: 'requires_payment_method' | 'requires_capture' | 'succeeded' | 'canceled';
  amount_received: number;
  amount_refunded: number;
  last_payment_error: { code: string; decline_code?: string; message: string; type: string } | null;
  cancellation_reason: string | null;
  capture_before: number;
}

const DECLINES: Readonly<Record<string, { code: string; decline_code?: string; message: string }>> = {
  pm_card_visa_chargeDeclined: {
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  },
  pm_card_visa_chargeDeclinedInsufficientFunds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  pm_card_authenticationRequired: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
};

export type Told = (type: string, object: object) => void;

export function intentStore(newId: (prefix: string) => string, tell: Told, holdSeconds: () => number) {
  const intents = new Map<string, Intent>();

  function find(id: string): Intent {
    const intent = intents.get(id);
    if (intent === undefined) {
      throw new Refusal(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such payment_intent: '${id}'`,
      });
    }
    return intent;
  }

  function create(form: Form): Intent {
    const required = {
      capture_method: 'manual',
      confirm: 'true',
      off_session: 'true',
      error_on_requires_action: 'true',
    };
    for (const [name, value] of Object.entries(required)) {
      if (form[name] !== value) throw invalid('parameter_missing', `This double wants ${name}=${value}.`);
    }
    const card = textOf(form.payment_method) ?? '';
    const decline = DECLINES[card];
    if (decline === undefined && !/^pm_(card_visa|card_mastercard|double_\w+)$/.test(card)) {
      throw invalid('resource_missing', `No such PaymentMethod: '${card}'`);
    }
    const destination = textOf(formOf(form.transfer_data).destination);
    const created = Math.floor(Date.now() / 1000);
    const intent: Intent = {
      id: newId('pi_'),
      created,
      amount: Number(form.amount),
      currency: String(form.currency),
      metadata: formOf(form.metadata) as Record<string, string>,
      customer: textOf(form.customer) ?? null,
      transfer_data: destination === undefined ? null : { destination },
      status: decline === undefined ? 'requires_capture' : 'requires_payment_method',
      amount_received: 0,
      amount_refunded: 0,
      last_payment_error: decline === undefined ? null : { ...decline, type: 'card_error' },
      cancellation_reason: null,
      capture_before: created + holdSeconds(),
    };
    intents.set(intent.id, intent);
    if (decline === undefined) {
      tell('payment_intent.amount_capturable_updated', showIntent(intent));
      return intent;
    }
    tell('payment_intent.payment_failed', showIntent(intent));
    throw new Refusal(402, { type: 'card_error', ...decline, payment_intent: showIntent(intent) });
  }

  function capture(id: string, form: Form): Intent {
    const intent = find(id);
    if (intent.status !== 'requires_capture') throw unexpected(intent, 'captured');
    const amount = Number(form.amount_to_capture ?? intent.amount);
    if (amount > intent.amount) throw invalid('amount_too_large', 'The amount to capture is above the authorized one.');
    intent.status = 'succeeded';
    intent.amount_received = amount;
    tell('payment_intent.succeeded', showIntent(intent));
    return intent;
  }

  function cancel(id: string, reason: string): Intent {
    const intent = find(id);
    if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpected(intent, 'canceled');
    intent.status = 'canceled';
    intent.cancellation_reason = reason;
    tell('payment_intent.canceled', showIntent(intent));
    return intent;
  }

  /** What a seller takes with a token of a buyer. */
  function sell(amount: number, currency: string): Intent {
    const created = Math.floor(Date.now() / 1000);
    const own = { id: newId('pi_'), created, amount, currency, metadata: {}, customer: null, transfer_data: null };
    const end = { amount_refunded: 0, last_payment_error: null, cancellation_reason: null, capture_before: created };
    return { ...own, ...end, status: 'succeeded', amount_received: amount };
  }

  return { intents, find, create, capture, cancel, sell };
}

function unexpected(intent: Intent, verb: string): Refusal {
  const message = `This PaymentIntent could not be ${verb} because it has a status of ${intent.status}.`;
  return invalid('payment_intent_unexpected_state', message, showIntent(intent));
}

/** @param charge whether the charge is shown in place of its id */
export function showIntent(intent: Intent, charge = false): object {
  const { capture_before: _, amount_refunded: _refunded, ...own } = intent;
  return {
    ...own,
    object: 'payment_intent',
    livemode: false,
    amount_capturable: intent.status === 'requires_capture' ? intent.amount : 0,
    capture_method: 'manual',
    latest_charge: charge ? showCharge(intent) : chargeIdOf(intent),
  };
}

export function chargeIdOf({ id }: Intent): string {
  return id.replace('pi_', 'ch_');
}

export function showCharge(intent: Intent): object {
  return {
    id: chargeIdOf(intent),
    object: 'charge',
    livemode: false,
    amount: intent.amount,
    amount_captured: intent.amount_received,
    amount_refunded: intent.amount_refunded,
    captured: intent.status === 'succeeded',
    refunded: intent.amount_refunded > 0 && intent.amount_refunded === intent.amount_received,
    currency: intent.currency,
    metadata: intent.metadata,
    payment_intent: intent.id,
    payment_method_details: { type: 'card', card: { brand: 'visa', capture_before: intent.capture_before } },
  };
}
