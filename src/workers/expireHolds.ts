/** Ends holds, after a warning, and shared payment tokens when they expire. */
import type { Deps } from '../handlers/core/deps.ts';
import { paymentFacts } from '../handlers/core/purchaseFacts.ts';
import { recordNodeEvent } from '../handlers/evidence/recordEvent.ts';
import { cancelLater } from '../handlers/payments/cancelHold.ts';
import { endToken } from '../handlers/spt/endSpt.ts';
import {
  findPayment,
  listEndingHolds,
  type PaymentRow,
  recordHoldWarning,
  updatePayment,
} from '../store/statements/purchases/payments.ts';
import { findOpenAttempt } from '../store/statements/purchases/railAttempts.ts';
import {
  findSharedPaymentToken,
  listOverdueTokens,
  type SharedPaymentTokenRow,
} from '../store/statements/purchases/sharedPaymentTokens.ts';
import type { Script } from '../store/store.ts';

const BATCH = 200;
const DAY_MS = 24 * 3600 * 1000;

/** Warns a day before a hold ends, and cancels it here and at the rail once it has ended. */
export async function expireHolds(deps: Deps): Promise<void> {
  const unwarned = await deps.store.read((now) => listEndingHolds(now + DAY_MS, false, BATCH));
  await Promise.all(unwarned.map((payment) => deps.store.write(payment.tenant_id, (now) => warn(deps, payment, now))));
  const ended = await deps.store.read((now) => listEndingHolds(now, true, BATCH));
  await Promise.all(ended.map((payment) => deps.store.write(payment.tenant_id, (now) => lapse(deps, payment, now))));
}

function* warn(deps: Deps, payment: PaymentRow, now: number): Script<void> {
  if (!(yield* recordHoldWarning(payment.tenant_id, payment.mandate_id))) return;
  const endsAt = new Date(payment.hold_until ?? 0).toISOString();
  deps.log.info('payment.holdEnding', { payment: payment.mandate_id, endsAt });
  const data = { ...paymentFacts(payment), endsAt };
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_HOLD_ENDING', data, now);
}

/** The rail is asked to cancel a hold that has lapsed there, because its answer tells the payment's true state. */
function* lapse(deps: Deps, overdue: PaymentRow, now: number): Script<void> {
  const { tenant_id: tenantId, mandate_id: mandateId } = overdue;
  const payment = yield* findPayment(tenantId, mandateId);
  // An operation under way may have captured it in time.
  if (payment?.status !== 'AUTHORIZED' || (yield* findOpenAttempt(tenantId, mandateId)) !== undefined) return;
  const known: PaymentRow = { ...payment, hold_until: null };
  yield* updatePayment(known);
  yield* cancelLater(deps, known, `${mandateId}:lapsed`, 'lapsed', now);
}

export async function expireTokens(deps: Deps): Promise<void> {
  const overdue = await deps.store.read((now) => listOverdueTokens(now, BATCH));
  await Promise.all(overdue.map((token) => deps.store.write(token.tenant_id, (now) => expire(deps, token, now))));
}

function* expire(deps: Deps, overdue: SharedPaymentTokenRow, now: number): Script<void> {
  const token = yield* findSharedPaymentToken(overdue.tenant_id, overdue.id);
  if (token !== undefined) yield* endToken(deps, token, 'EXPIRED', now);
}
