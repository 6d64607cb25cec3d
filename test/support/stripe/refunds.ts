/** The double's refunds. */
import { type Form, formOf } from './form.ts';
import { type Intent, showCharge, type Told } from './intents.ts';
import { invalid } from './refusal.ts';

export interface Refund {
  readonly id: string;
  readonly intent: Intent;
  readonly amount: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created: number;
  status: 'succeeded' | 'failed';
}

export function refundStore(newId: (prefix: string) => string, tell: Told, find: (id: string) => Intent) {
  const refunds: Refund[] = [];

  function create(form: Form): Refund {
    const intent = find(String(form.payment_intent));
    const amount = Number(form.amount);
    const left = intent.amount_received - intent.amount_refunded;
    if (left === 0) throw invalid('charge_already_refunded', 'Charge has already been refunded.');
    if (amount > left) throw invalid('amount_too_large', 'Refund amount is greater than the unrefunded amount.');
    intent.amount_refunded += amount;
    const refund: Refund = {
      id: newId('re_'),
      intent,
      amount,
      metadata: formOf(form.metadata) as Record<string, string>,
      created: Math.floor(Date.now() / 1000),
      status: 'succeeded',
    };
    refunds.unshift(refund);
    tell('charge.refunded', showCharge(intent));
    return refund;
  }

  /** The card's bank sends the money back, days later. */
  function fail(refund: Refund): void {
    refund.status = 'failed';
    refund.intent.amount_refunded -= refund.amount;
    tell('refund.failed', showRefund(refund));
  }

  return { refunds, create, fail };
}

export function showRefund(refund: Refund): object {
  const { intent, ...own } = refund;
  const { id: payment_intent, currency } = intent;
  return { ...own, object: 'refund', currency, payment_intent, charge: showCharge(intent) };
}
