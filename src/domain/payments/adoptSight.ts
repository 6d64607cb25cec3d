/** Brings a payment to what a look at the rail has shown, where no transition of its own leads there. */

import { fromMinor } from '../../../protocol/money.ts';
import type { RailSnapshot } from '../../rails/rail.ts';
import { recountPayment } from '../../store/statements/limits/limitBuckets.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { changePayment } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';
import { convergePayment } from './convergePayment.ts';
import { flagPayment, refundTakenBack, statusOfMoney, transition } from './transition.ts';

/** A look at the rail. */
export interface PaymentSight {
  /** The payment as it stood here before the look. */
  readonly before: PaymentRow;
  /** Undefined where the rail does not know the payment. */
  readonly snapshot: RailSnapshot | undefined;
}

/** True while nothing has changed here since the look, so that it is the newest word on the payment. */
export function isNewest(payment: PaymentRow, { before }: PaymentSight): boolean {
  return (
    payment.status === before.status &&
    payment.captured_minor === before.captured_minor &&
    payment.refunded_minor === before.refunded_minor
  );
}

/** @returns the payment as it stands then; what stays undecided is flagged for a person */
export function* adoptSight(deps: Deps, payment: PaymentRow, sight: PaymentSight, now: number): Script<PaymentRow> {
  const { snapshot } = sight;
  if (snapshot === undefined) return yield* flagPayment(deps, payment, 'The rail does not know this payment.', now);
  const newest = isNewest(payment, sight);
  const standing = yield* convergePayment(deps, payment, snapshot, now);
  if (!agrees(standing, snapshot)) {
    const reason = `The payment is ${standing.status} here and ${snapshot.state} at the rail.`;
    return yield* flagPayment(deps, standing, reason, now);
  }
  return newest ? yield* correctAmounts(deps, standing, snapshot, now) : standing;
}

function agrees({ status, rail_id: railId }: PaymentRow, { state, railId: seen }: RailSnapshot): boolean {
  if (railId !== seen) return false;
  if (status === 'AUTHORIZED') return state === 'authorized';
  if (status === 'CANCELED') return state === 'canceled';
  if (status === 'FAILED') return state === 'failed' || state === 'canceled';
  return status !== 'PENDING' && status !== 'UNKNOWN' && state === 'captured';
}

/** Less was refunded than is recorded, or another amount captured: no transition says either. */
function* correctAmounts(deps: HookDeps, payment: PaymentRow, snapshot: RailSnapshot, now: number): Script<PaymentRow> {
  if (snapshot.state !== 'captured') return payment;
  const { capturedMinor, refundedMinor = payment.refunded_minor } = snapshot;
  const taken = refundTakenBack(payment, refundedMinor, now);
  const standing = taken === undefined ? payment : yield* transition(deps, payment, taken, now);
  if (standing.captured_minor === capturedMinor) return standing;
  const status = statusOfMoney(standing, capturedMinor, standing.refunded_minor);
  const synced: PaymentRow = { ...standing, captured_minor: capturedMinor, status };
  yield* changePayment(standing, synced);
  yield* recountPayment(standing, synced);
  const { currency } = synced;
  const data = {
    ...paymentFacts(synced),
    status,
    captured: fromMinor(capturedMinor, currency),
    refunded: fromMinor(synced.refunded_minor, currency),
    was: { status: standing.status, captured: fromMinor(standing.captured_minor, currency) },
  };
  yield* recordNodeEvent(deps, synced.tenant_id, 'PAYMENT_SYNCED', data, now);
  return synced;
}
