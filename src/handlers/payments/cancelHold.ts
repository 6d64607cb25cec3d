/** What nobody asked the rail for is let go of: a hold that has run out, and one that came after its payment had failed. */
import { canonical } from '../../../protocol/credential/canonical.ts';
import type { RailRequest } from '../../rails/rail.ts';
import { type PaymentRow, updatePayment } from '../../store/statements/purchases/payments.ts';
import { findRailAttempt, insertRailAttempt } from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import { aboutPayment } from './transition.ts';

/**
 * A payment that was given up has been authorized after all. It stays FAILED; the hold is canceled at the rail.
 * @returns the payment, which now knows its id at the rail
 */
export function* takeBackLateSuccess(deps: Deps, payment: PaymentRow, railId: string, now: number): Script<PaymentRow> {
  const key = `${payment.mandate_id}:late`;
  if ((yield* findRailAttempt(key)) !== undefined) return payment;
  const known: PaymentRow = { ...payment, rail_id: railId };
  yield* updatePayment(known);
  yield* askToCancel(deps, known, key, 'late', now);
  const data = { ...aboutPayment(payment), railTransactionId: railId };
  const event = { eventType: 'PAYMENT_LATE_SUCCESS', actorDid: deps.issuer.did, data } as const;
  yield* recordEvent(deps, payment.tenant_id, event, now);
  return known;
}

/** Leaves a cancellation to the worker, which asks the rail until it answers. */
export function* askToCancel(
  deps: Deps,
  payment: PaymentRow,
  attemptKey: string,
  reason: NonNullable<RailRequest['reason']>,
  now: number,
): Script<void> {
  const request: RailRequest = {
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    merchant: payment.merchant,
    ...(payment.rail_id === null ? {} : { railId: payment.rail_id }),
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    transactionId: payment.transaction_id,
    reason,
  };
  yield* insertRailAttempt({
    attempt_key: attemptKey,
    tenant_id: payment.tenant_id,
    payment_id: payment.mandate_id,
    operation: 'cancel',
    parameters: canonical(request),
    state: 'OPEN',
    tries: 0,
    node_id: deps.nodeId,
    next_at: now,
    created_at: now,
  });
}
