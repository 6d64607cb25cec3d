/**
 * Brings a payment to the state that the rail reports: through each transition in order, in any order in which notifications
 * arrive, and without one where no transition leads there. Transitions that were made before are skipped.
 */

import { fromMinor } from '../../../protocol/money.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { RailOutcome, RailSnapshot } from '../../rails/rail.ts';
import { recountPayment } from '../../store/statements/limits/limitBuckets.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { changePayment } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';
import { cancelLateHold } from './cancelHold.ts';
import {
  canceled,
  captured,
  flagPayment,
  recordOutcome,
  refunded,
  refundTakenBack,
  statusOfMoney,
  transition,
} from './recordOutcome.ts';

/** @returns the payment as it stands then */
export function* convergePayment(
  deps: Deps,
  payment: PaymentRow,
  snapshot: RailSnapshot,
  now: number,
): Script<PaymentRow> {
  if (payment.rail_id !== null && payment.rail_id !== snapshot.railId) {
    // This program makes one payment at the rail for each mandate; a second one needs a person.
    return yield* flagPayment(deps, payment, `There is a second payment at the rail: ${snapshot.railId}.`, now);
  }
  if (snapshot.state === 'open') return payment;
  const decided = yield* decide(deps, payment, snapshot, now);
  if (snapshot.state === 'canceled') return yield* transition(deps, decided, canceled(decided, 'rail'), now);
  if (snapshot.state !== 'captured') return decided;
  const capture = captured(decided, snapshot.capturedMinor, now);
  const facts = { ...capture?.facts, ...compact({ reference: snapshot.reference }) };
  const taken = capture === undefined ? decided : yield* transition(deps, decided, { ...capture, facts }, now);
  const change = snapshot.refundedMinor === undefined ? undefined : refunded(taken, snapshot.refundedMinor);
  return change === undefined ? taken : yield* transition(deps, taken, change, now);
}

/** The answer to the authorization, where it is open still. */
function* decide(deps: Deps, payment: PaymentRow, snapshot: RailSnapshot, now: number): Script<PaymentRow> {
  const { railId, state } = snapshot;
  const holds = state === 'authorized' || state === 'captured';
  if (payment.status === 'FAILED' && holds) return yield* cancelLateHold(deps, payment, railId, now);
  if (payment.status !== 'PENDING' && payment.status !== 'UNKNOWN') return payment;
  const answer = answerOf(snapshot, holds);
  const recorded = yield* recordOutcome(deps, payment.tenant_id, payment.mandate_id, answer, now);
  return recorded?.payment ?? payment;
}

function answerOf({ railId, state, holdUntil, error }: RailSnapshot, holds: boolean): RailOutcome {
  if (holds) return compact({ kind: 'ok' as const, railId, status: state, holdUntil });
  const { code, message } = error ?? { code: 'canceled', message: 'The payment was canceled at the rail.' };
  return { kind: code === 'authentication_required' ? 'actionRequired' : 'declined', railId, code, message };
}

/** A look at the rail. */
export interface ReconcileInput {
  /** The payment as it stood here before the look. */
  readonly before: PaymentRow;
  /** Undefined where the rail does not know the payment. */
  readonly snapshot: RailSnapshot | undefined;
}

/** True while nothing has changed here since the look, so that it is the newest word on the payment. */
export function isNewest(payment: PaymentRow, { before }: ReconcileInput): boolean {
  return (
    payment.status === before.status &&
    payment.captured_minor === before.captured_minor &&
    payment.refunded_minor === before.refunded_minor
  );
}

/** @returns the payment as it stands then; what stays undecided is flagged for a person */
export function* reconcileWithRail(
  deps: Deps,
  payment: PaymentRow,
  lookup: ReconcileInput,
  now: number,
): Script<PaymentRow> {
  const { snapshot } = lookup;
  if (snapshot === undefined) return yield* flagPayment(deps, payment, 'The rail does not know this payment.', now);
  const newest = isNewest(payment, lookup);
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
