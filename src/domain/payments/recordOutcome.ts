/** Records what a rail answered: the payment's next state, its evidence, and when to ask again. */

import { compact } from '../../../protocol/wire/compact.ts';
import { RailOutcome, type RailRequest } from '../../rails/rail.ts';
import { databaseTime } from '../../store/statements/node/nodes.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import {
  type AskedOfRail,
  closeRailAttempt,
  findAsked,
  flagRailAttempt,
  postponeRailAttempt,
  type RailAttemptRow,
} from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';
import { cancelLateHold } from './cancelHold.ts';
import { captureEndOf, requestOf } from './railAttempt.ts';
import {
  canceled,
  captured,
  flagPayment,
  type PaymentChange,
  refunded,
  transition,
  unflagPayment,
} from './transition.ts';

/** How long a card's issuer holds an amount where the rail does not say. */
const HOLD_DAYS = 7;
const DAY_MS = 24 * 3600 * 1000;

type Ok = Extract<RailOutcome, { kind: 'ok' }>;
type RailRefusal = Extract<RailOutcome, { kind: 'declined' | 'actionRequired' }>;

interface PaymentOutcome {
  /** As it stands now. */
  readonly payment: PaymentRow;
  /** The answer that holds. */
  readonly outcome: RailOutcome;
}

/**
 * Records a rail's answer, once: an attempt that was settled in the meantime is left unchanged.
 * @param said what the rail has answered now
 * @returns undefined where a reset of the sandbox's data took the payment away in the meantime
 */
export function* recordOutcome(
  deps: Deps,
  tenantId: string,
  attemptKey: string,
  said: RailOutcome,
  now: number,
): Script<PaymentOutcome | undefined> {
  const asked = yield* findAsked(tenantId, attemptKey);
  if (asked === undefined) {
    if (deps.keys.demo === undefined) throw new Error(`attempt ${attemptKey} has no payment`);
    return undefined;
  }
  // As a rail that remembers its keys gives its first answer again: another process may have asked as well.
  const kept = asked.attempt.outcome;
  const outcome = kept === null ? said : RailOutcome.parse(JSON.parse(kept));
  return { payment: yield* settle(deps, asked, outcome, now), outcome };
}

function* settle(deps: Deps, asked: AskedOfRail, outcome: RailOutcome, now: number): Script<PaymentRow> {
  const { attempt, payment, isMerchantNoted } = asked;
  if (attempt.state === 'DONE') return payment;

  if (outcome.kind === 'unknown') {
    const waiting = yield* askAgain(deps, payment, attempt, outcome.reason, now);
    const change = unanswered(waiting, attempt, outcome.reason);
    return change === undefined ? waiting : yield* transition(deps, waiting, change, now);
  }
  // An authorization is recorded by its payment alone.
  const request = attempt.operation === 'authorize' ? undefined : requestOf(attempt);
  if (request?.reason === 'late') return yield* settleLateHold(deps, payment, attempt, outcome, now);
  yield* close(deps, payment, attempt, outcome);
  if (outcome.kind === 'ok' && attempt.operation === 'authorize' && payment.status === 'FAILED') {
    return yield* cancelLateHold(deps, payment, outcome.railId, now);
  }
  const change =
    outcome.kind === 'ok' ? done(payment, attempt, request, outcome, now) : refused(payment, attempt, outcome);
  if (change === undefined) return yield* unflagPayment(payment);
  return yield* transition(deps, payment, { ...change, isMerchantNoted }, now);
}

/** Keeps the answer of a rail that has no database of its own, which until then has done nothing. */
function close(
  deps: Pick<Deps, 'rails'>,
  { rail }: PaymentRow,
  attempt: RailAttemptRow,
  outcome: RailOutcome,
): Script<void> {
  const isKept = deps.rails.get(rail)?.isKeptByNode === true;
  return closeRailAttempt(attempt.attempt_key, isKept ? JSON.stringify(outcome) : null);
}

/** Backs off. An attempt older than every way to settle it is flagged for a person, and still looked up. */
function* askAgain(
  deps: Pick<Deps, 'log' | 'settings' | 'store'>,
  payment: PaymentRow,
  attempt: RailAttemptRow,
  reason: string,
  at: number,
): Script<PaymentRow> {
  const now = yield* databaseTime(deps.store.engine, at);
  const { retrySeconds, giveUpSeconds } = deps.settings.rail;
  const wait = retrySeconds[Math.min(attempt.tries, retrySeconds.length - 1)] as number;
  yield* postponeRailAttempt(attempt.attempt_key, now + wait * 1000);
  if (now - attempt.created_at < giveUpSeconds * 1000) return payment;
  return yield* flagForPerson(deps, payment, attempt, reason, at);
}

function* flagForPerson(
  deps: Pick<Deps, 'log'>,
  payment: PaymentRow,
  attempt: RailAttemptRow,
  reason: string,
  now: number,
): Script<PaymentRow> {
  if (!(yield* flagRailAttempt(attempt.attempt_key, now))) return payment;
  return yield* flagPayment(deps, payment, reason, now);
}

/** @param request undefined for an authorization */
function done(
  payment: PaymentRow,
  { operation }: RailAttemptRow,
  request: RailRequest | undefined,
  outcome: Ok,
  now: number,
): PaymentChange | undefined {
  if (request === undefined) return authorized(payment, outcome, now);
  if (operation === 'capture') return captured(payment, request.amountMinor, now);
  if (operation === 'cancel') return canceled(payment, request.reason);
  // Where the rail says the total, a refund that its notification told of already is not counted twice.
  return refunded(payment, outcome.refundedMinor ?? payment.refunded_minor + request.amountMinor);
}

function authorized(payment: PaymentRow, { railId, holdUntil }: Ok, now: number): PaymentChange {
  return {
    payment: {
      ...payment,
      status: 'AUTHORIZED',
      rail_id: railId,
      authorized_at: Math.max(now, payment.authorized_at),
      hold_until: Math.min(holdUntil ?? now + HOLD_DAYS * DAY_MS, captureEndOf(payment)),
    },
    eventType: 'PAYMENT_AUTHORIZED',
    facts: { railTransactionId: railId },
    byAgent: true,
  };
}

/** An authorization without an answer makes the payment UNKNOWN, once; other operations are only tried again. */
function unanswered(payment: PaymentRow, attempt: RailAttemptRow, reason: string): PaymentChange | undefined {
  if (attempt.operation !== 'authorize' || payment.status !== 'PENDING') return undefined;
  const unknown: PaymentRow = { ...payment, status: 'UNKNOWN' };
  return { payment: unknown, eventType: 'PAYMENT_UNKNOWN', facts: { reason }, byAgent: true };
}

function refused(payment: PaymentRow, attempt: RailAttemptRow, outcome: RailRefusal): PaymentChange | undefined {
  if (attempt.operation !== 'authorize') return undefined;
  const { code, message, railId } = outcome;
  return {
    payment: {
      ...payment,
      status: 'FAILED',
      rail_id: railId ?? payment.rail_id,
      error_code: code,
      error_message: message,
    },
    eventType: 'PAYMENT_FAILED',
    facts: compact({ error: { code, message }, railTransactionId: railId }),
    byAgent: true,
  };
}

function* settleLateHold(
  deps: EventDeps & Pick<Deps, 'log' | 'rails' | 'store'>,
  payment: PaymentRow,
  attempt: RailAttemptRow,
  outcome: Ok | RailRefusal,
  now: number,
): Script<PaymentRow> {
  if (outcome.kind !== 'ok') {
    const waiting = yield* askAgain(deps, payment, attempt, outcome.message, now);
    return yield* flagForPerson(deps, waiting, attempt, outcome.message, now);
  }
  yield* close(deps, payment, attempt, outcome);
  const data = Object.assign(paymentFacts(payment), { railTransactionId: outcome.railId });
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_LATE_CANCELED', data, now);
  return yield* unflagPayment(payment);
}
