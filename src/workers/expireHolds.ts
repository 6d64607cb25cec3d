/** Ends what has run out at a rail: holds, after a warning, and shared payment tokens; forgets old events. */
import type { Deps } from '../handlers/core/deps.ts';
import { recordEvent } from '../handlers/evidence/recordEvent.ts';
import { askToCancel } from '../handlers/payments/cancelHold.ts';
import { aboutPayment } from '../handlers/payments/transition.ts';
import { endToken } from '../handlers/spt/endSpt.ts';
import {
  findPayment,
  listEndingHolds,
  type PaymentRow,
  recordHoldWarning,
  updatePayment,
} from '../store/statements/purchases/payments.ts';
import { findOpenAttempt } from '../store/statements/purchases/railAttempts.ts';
import { deleteRailEventsBefore } from '../store/statements/purchases/railEvents.ts';
import {
  findSharedPaymentToken,
  listOverdueTokens,
  type SharedPaymentTokenRow,
} from '../store/statements/purchases/sharedPaymentTokens.ts';
import type { Script } from '../store/store.ts';

const BATCH = 200;
const DAY_MS = 24 * 3600 * 1000;
/** Rails send an event again for some days. */
const EVENT_DAYS = 30;

/** Warns a day before a hold ends, and once it has ended lets go of it on both sides. */
export async function endHolds(deps: Deps): Promise<void> {
  const now = deps.clock();
  const unwarned = await deps.store.read(() => listEndingHolds(now + DAY_MS, false, BATCH));
  await Promise.all(unwarned.map((payment) => deps.store.write(payment.tenant_id, () => warn(deps, payment))));
  const ended = await deps.store.read(() => listEndingHolds(now, true, BATCH));
  await Promise.all(ended.map((payment) => deps.store.write(payment.tenant_id, () => lapse(deps, payment))));
}

function* warn(deps: Deps, payment: PaymentRow): Script<void> {
  if (!(yield* recordHoldWarning(payment.tenant_id, payment.mandate_id))) return;
  const endsAt = new Date(payment.hold_until ?? 0).toISOString();
  deps.log('payment.holdEnding', { payment: payment.mandate_id, endsAt });
  const data = { ...aboutPayment(payment), endsAt };
  const event = { eventType: 'PAYMENT_HOLD_ENDING', actorDid: deps.issuer.did, data } as const;
  yield* recordEvent(deps, payment.tenant_id, event, deps.clock());
}

/** The rail is asked to cancel what it has let go of anyway, so that its answer says how the payment really stands. */
function* lapse(deps: Deps, overdue: PaymentRow): Script<void> {
  const { tenant_id: tenantId, mandate_id: mandateId } = overdue;
  const payment = yield* findPayment(tenantId, mandateId);
  // What is under way may have captured it in time.
  if (payment?.status !== 'AUTHORIZED' || (yield* findOpenAttempt(tenantId, mandateId)) !== undefined) return;
  const known: PaymentRow = { ...payment, hold_until: null };
  yield* updatePayment(known);
  yield* askToCancel(deps, known, `${mandateId}:lapsed`, 'lapsed', deps.clock());
}

export async function expireTokens(deps: Deps): Promise<void> {
  const overdue = await deps.store.read(() => listOverdueTokens(deps.clock(), BATCH));
  await Promise.all(overdue.map((token) => deps.store.write(token.tenant_id, () => expire(deps, token))));
}

function* expire(deps: Deps, overdue: SharedPaymentTokenRow): Script<void> {
  const token = yield* findSharedPaymentToken(overdue.tenant_id, overdue.id);
  if (token !== undefined) yield* endToken(deps, token, 'EXPIRED', deps.clock());
}

export async function forgetOldRailEvents(deps: Deps): Promise<void> {
  await deps.store.write('housekeeping', () => deleteRailEventsBefore(deps.clock() - EVENT_DAYS * DAY_MS));
}
