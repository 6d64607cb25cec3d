/**
 * Brings a payment to the state that the rail reports, through each transition in order, in any order in which
 * notifications arrive. Transitions that were made before are skipped.
 */
import { compact } from '../../../protocol/wire/compact.ts';
import type { RailOutcome, RailSnapshot } from '../../rails/rail.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { cancelLateHold } from './cancelHold.ts';
import { recordOutcome } from './recordOutcome.ts';
import { canceled, captured, flagPayment, refunded, transition } from './transition.ts';

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
  const taken = capture === undefined ? decided : yield* transition(deps, decided, capture, now);
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
