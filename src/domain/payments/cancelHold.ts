/** Cancels holds at the rail that no purchase needs: one that has lapsed, and one that came after its payment had failed. */

import type { RailRequest } from '../../rails/rail.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findRailAttempt } from '../../store/statements/purchases/railAttempts.ts';
import { changePayment } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';
import { openAttempt } from './railAttempt.ts';

/**
 * Handles a payment that was authorized at the rail after it had failed here. It stays FAILED; its hold is canceled.
 * @returns the payment, which now knows its id at the rail
 */
export function* cancelLateHold(
  deps: EventDeps & Pick<Deps, 'settings' | 'store'>,
  payment: PaymentRow,
  railId: string,
  now: number,
): Script<PaymentRow> {
  const key = `${payment.mandate_id}:late`;
  if ((yield* findRailAttempt(key)) !== undefined) return payment;
  const known: PaymentRow = { ...payment, rail_id: railId };
  yield* changePayment(payment, known);
  yield* cancelLater(deps, known, key, 'late', now);
  const data = { ...paymentFacts(payment), railTransactionId: railId };
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_LATE_SUCCESS', data, now);
  return known;
}

/** Leaves a cancellation to the worker, which asks the rail until it answers. @param now milliseconds since the epoch */
export function* cancelLater(
  deps: Pick<Deps, 'settings' | 'store'>,
  payment: PaymentRow,
  key: string,
  reason: NonNullable<RailRequest['reason']>,
  now: number,
): Script<void> {
  yield* openAttempt(deps, payment, { key, operation: 'cancel', request: { reason }, byWorker: true }, now);
}
