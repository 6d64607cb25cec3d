/** Ends holds, after a warning. */

import { recordNodeEvent } from '../domain/evidence/recordEvent.ts';
import { cancelLater } from '../domain/payments/cancelHold.ts';
import { endReservation, loadExternalRules } from '../domain/payments/endReservation.ts';
import { paymentFacts } from '../domain/purchases/purchaseFacts.ts';
import {
  findPayment,
  listEndingHolds,
  type PaymentRow,
  recordHoldWarning,
} from '../store/statements/purchases/payments.ts';
import { findOpenAttempt } from '../store/statements/purchases/railAttempts.ts';
import { changePayment } from '../store/statements/purchases/spendSums.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from '../usecase/deps.ts';
import { writeLogged } from '../usecase/useCase.ts';
import { patience, workOff } from './patience.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Warns a day before a hold ends. */
export async function warnOfHolds(deps: Deps, waiting = patience(deps, 'hold warnings')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listEndingHolds(now + DAY_MS, false, limit)),
    keyOf: ({ mandate_id: id }) => id,
    settle: (payment) => writeLogged(deps, payment.tenant_id, (own, now) => warn(own, payment, now)),
  });
}

/** Cancels a hold that has ended, here and at the rail. */
export async function expireHolds(deps: Deps, waiting = patience(deps, 'holds')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listEndingHolds(now, true, limit)),
    keyOf: ({ mandate_id: id }) => id,
    settle: (payment) => writeLogged(deps, payment.tenant_id, (own, now) => lapse(own, payment, now)),
  });
}

function* warn(deps: Deps, payment: PaymentRow, now: number): Script<void> {
  if (!(yield* recordHoldWarning(payment.tenant_id, payment.mandate_id))) return;
  // What a merchant is paid with lives for minutes, and no person captures it.
  if (deps.rails.get(payment.rail)?.gate !== undefined) return;
  const endsAt = new Date(payment.hold_until ?? 0).toISOString();
  deps.log.info('payment.holdEnding', { payment: payment.mandate_id, endsAt });
  const data = { ...paymentFacts(payment), endsAt };
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_HOLD_ENDING', data, now);
}

/**
 * The rail is asked to cancel a hold that has lapsed there, because its answer tells the payment's true state.
 * @returns false where that has to wait
 */
function* lapse(deps: Deps, overdue: PaymentRow, now: number): Script<boolean> {
  const { tenant_id: tenantId, mandate_id: mandateId } = overdue;
  const payment = yield* findPayment(tenantId, mandateId);
  if (payment?.status !== 'AUTHORIZED') return true;
  // An operation under way may have captured it in time.
  if ((yield* findOpenAttempt(tenantId, mandateId)) !== undefined) return false;
  if (deps.rails.get(payment.rail)?.gate?.isElsewhere === true) {
    const { atEnd } = yield* loadExternalRules(deps, tenantId);
    yield* endReservation(deps, payment, atEnd, now);
    return true;
  }
  const known: PaymentRow = { ...payment, hold_until: null };
  yield* changePayment(payment, known);
  yield* cancelLater(deps, known, `${mandateId}:lapsed`, 'lapsed', now);
  return true;
}
