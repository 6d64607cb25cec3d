/** One transition of a payment's state, recorded: its row, what it reserved, its evidence. */

import type { OccurrenceType } from '../../../protocol/evidence/eventTypes.ts';
import { fromMinor } from '../../../protocol/money.ts';
import { canBecome, type PaymentStatus } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { recountPayment } from '../../store/statements/limits/limitBuckets.ts';
import { endStatus } from '../../store/statements/purchases/credentialStatus.ts';
import { findIntent, type IntentRow, settleIntent } from '../../store/statements/purchases/intents.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { changePayment } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';

export interface PaymentChange {
  readonly payment: PaymentRow;
  readonly eventType: OccurrenceType;
  readonly facts: Readonly<Record<string, unknown>>;
  /** True where the agent's own request is what led to it. */
  readonly byAgent?: boolean;
  /** True where it is known to be noted that the agent has paid the merchant. */
  readonly isMerchantNoted?: boolean;
}

/**
 * Makes a transition, unless the payment is past it: a state never goes back, so each transition is recorded once.
 * @param payment as it stands now
 * @returns the payment as it stands then
 */
export function* transition(
  deps: HookDeps,
  payment: PaymentRow,
  change: PaymentChange,
  now: number,
): Script<PaymentRow> {
  const { status } = change.payment;
  if (!canBecome(payment.status, status)) return payment;
  const settled: PaymentRow = { ...change.payment, attention: null, attention_at: null };
  yield* changePayment(payment, settled, change.isMerchantNoted);
  const isVoid = status === 'FAILED' || status === 'CANCELED';
  if (isVoid) yield* endStatus(payment.tenant_id, payment.mandate_id, now);
  yield* recountPayment(payment, settled, isVoid ? yield* releaseReservation(payment) : undefined);
  const data = Object.assign(paymentFacts(payment), change.facts);
  const actorDid = change.byAgent === true ? payment.agent_did : deps.issuer.did;
  yield* recordEvent(deps, payment.tenant_id, { eventType: change.eventType, actorDid, data }, now);
  for (const tell of deps.operations.hooks.afterOutcome) yield* tell(deps, settled, now);
  return settled;
}

/** Leaves a payment to a person, who sees it at the payment and in the doctor's report. */
export function* flagPayment(
  deps: Pick<Deps, 'log'>,
  payment: PaymentRow,
  reason: string,
  now: number,
): Script<PaymentRow> {
  if (payment.attention === reason) return payment;
  deps.log.warn('rail.attention', { payment: payment.mandate_id, reason });
  const flagged: PaymentRow = { ...payment, attention: reason, attention_at: payment.attention_at ?? now };
  yield* changePayment(payment, flagged);
  return flagged;
}

export function* unflagPayment(payment: PaymentRow): Script<PaymentRow> {
  if (payment.attention === null) return payment;
  const settled: PaymentRow = { ...payment, attention: null, attention_at: null };
  yield* changePayment(payment, settled);
  return settled;
}

/** @param capturedMinor what was taken in all; undefined is returned where it was taken before */
export function captured(payment: PaymentRow, capturedMinor: number, now: number): PaymentChange | undefined {
  // A refund that failed, or a dispute that was won, leads to CAPTURED as well, and is no capture.
  if (payment.status !== 'AUTHORIZED') return undefined;
  return {
    payment: { ...payment, status: 'CAPTURED', captured_minor: capturedMinor },
    eventType: 'PAYMENT_CAPTURED',
    facts: { captured: fromMinor(capturedMinor, payment.currency), capturedAt: isoTime(now) },
  };
}

/** @param refundedMinor what was given back in all; undefined is returned when that is nothing new */
export function refunded(payment: PaymentRow, refundedMinor: number): PaymentChange | undefined {
  const total = Math.min(refundedMinor, payment.captured_minor);
  if (total <= payment.refunded_minor) return undefined;
  const status = statusOfMoney(payment, payment.captured_minor, total);
  return {
    payment: { ...payment, status, refunded_minor: total },
    eventType: 'PAYMENT_REFUNDED',
    facts: {
      refund: fromMinor(total - payment.refunded_minor, payment.currency),
      refunded: fromMinor(total, payment.currency),
      status,
    },
  };
}

/** @param refundedMinor what was given back in all, without a refund that failed; undefined for nothing new */
export function refundTakenBack(payment: PaymentRow, refundedMinor: number, now: number): PaymentChange | undefined {
  if (refundedMinor >= payment.refunded_minor) return undefined;
  const status = statusOfMoney(payment, payment.captured_minor, refundedMinor);
  return {
    payment: { ...payment, status, refunded_minor: refundedMinor, refund_failed_at: now },
    eventType: 'PAYMENT_REFUND_FAILED',
    facts: {
      refund: fromMinor(payment.refunded_minor - refundedMinor, payment.currency),
      refunded: fromMinor(refundedMinor, payment.currency),
      status,
    },
  };
}

/** The state of a captured payment: what became of the money. Each dispute counts until it is won. */
export function statusOfMoney(payment: PaymentRow, capturedMinor: number, refundedMinor: number): PaymentStatus {
  if (refundedMinor >= capturedMinor) return 'REFUNDED';
  if (payment.standing_disputes > 0) return 'DISPUTED';
  return refundedMinor > 0 ? 'PARTIALLY_REFUNDED' : 'CAPTURED';
}

/** @param reason why, where no caller asked for it */
export function canceled(payment: PaymentRow, reason: string | undefined): PaymentChange {
  return {
    payment: { ...payment, status: 'CANCELED' },
    eventType: 'PAYMENT_CANCELED',
    facts: compact({ reason }),
  };
}

/** @returns the intent as it was while it reserved what was to be paid */
function* releaseReservation(payment: PaymentRow): Script<IntentRow | undefined> {
  const intent = yield* findIntent(payment.tenant_id, payment.intent_id);
  if (intent !== undefined) yield* settleIntent(payment.tenant_id, intent.mandate_id, intent.status, 0);
  return intent;
}
