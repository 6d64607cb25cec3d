/** Records what a rail answered, and each transition of a payment: its row, what it reserved, its evidence, and when to ask again. */

import type { OccurrenceType } from '../../../protocol/evidence/eventTypes.ts';
import { fromMinor } from '../../../protocol/money.ts';
import { canBecome, type PaymentStatus } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { RailOutcome, type RailRequest } from '../../rails/rail.ts';
import { recountPayment } from '../../store/statements/limits/limitBuckets.ts';
import { databaseTime } from '../../store/statements/node/nodes.ts';
import { endStatus } from '../../store/statements/purchases/credentialStatus.ts';
import { httpCredentialContext, saveHttpCredential } from '../../store/statements/purchases/httpPayments.ts';
import { findIntent, type IntentRow, settleIntent } from '../../store/statements/purchases/intents.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import {
  type AskedOfRail,
  closeRailAttempt,
  findAsked,
  flagRailAttempt,
  postponeRailAttempt,
  type RailAttemptRow,
} from '../../store/statements/purchases/railAttempts.ts';
import { changePayment } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import type { Attestant } from '../../usecase/paymentProtocol.ts';
import { recordEvent, recordNodeEvent } from '../evidence/recordEvent.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';
import { cancelLateHold } from './cancelHold.ts';
import { captureEndOf, requestOf } from './railAttempt.ts';

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
  if (outcome.kind === 'ok' && outcome.credential !== undefined) {
    yield* keepCredential(deps, payment, outcome.credential);
  }
  if (outcome.kind === 'ok' && attempt.operation === 'authorize' && payment.status === 'FAILED') {
    return yield* cancelLateHold(deps, payment, outcome.railId, now);
  }
  const change =
    outcome.kind === 'ok' ? done(payment, attempt, request, outcome, now) : refused(payment, attempt, outcome);
  if (change === undefined) return yield* unflagPayment(payment);
  // Of a payment elsewhere a refund is the agent's word, which takes nothing from the person that it was left to.
  const keepsAttention = deps.rails.get(payment.rail)?.gate?.isElsewhere;
  return yield* transition(deps, payment, { ...change, isMerchantNoted, keepsAttention }, now);
}

/** Keeps the answer of a rail that has no database of its own, which until then has done nothing. */
function close(
  deps: Pick<Deps, 'rails'>,
  { rail }: PaymentRow,
  attempt: RailAttemptRow,
  outcome: RailOutcome,
): Script<void> {
  const isKept = deps.rails.get(rail)?.isKeptByNode === true;
  // What pays is kept sealed, and nowhere else.
  return closeRailAttempt(attempt.attempt_key, isKept ? JSON.stringify({ ...outcome, credential: undefined }) : null);
}

function keepCredential(
  { sealer, hashToken }: Pick<Deps, 'hashToken' | 'sealer'>,
  { tenant_id, mandate_id }: PaymentRow,
  made: string,
): Script<void> {
  const credential = sealer.seal(made, httpCredentialContext(mandate_id));
  return saveHttpCredential({ tenant_id, mandate_id, credential, credential_hash: hashToken(made) });
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
  const change = refunded(payment, outcome.refundedMinor ?? payment.refunded_minor + request.amountMinor);
  if (change === undefined || request.evidence === undefined) return change;
  return { ...change, facts: { ...change.facts, evidence: request.evidence } };
}

function authorized(payment: PaymentRow, { railId, holdUntil, proof }: Ok, now: number): PaymentChange {
  return {
    payment: {
      ...payment,
      status: 'AUTHORIZED',
      rail_id: railId,
      authorized_at: Math.max(now, payment.authorized_at),
      hold_until: Math.min(holdUntil ?? now + HOLD_DAYS * DAY_MS, captureEndOf(payment)),
    },
    eventType: 'PAYMENT_AUTHORIZED',
    facts: { ...proof, railTransactionId: railId },
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

interface PaymentChange {
  readonly payment: PaymentRow;
  readonly eventType: OccurrenceType;
  readonly facts: Readonly<Record<string, unknown>>;
  /** True where the agent's own request is what led to it. */
  readonly byAgent?: boolean;
  /** True where it is known to be noted that the agent has paid the merchant. */
  readonly isMerchantNoted?: boolean;
  /** True for a payment that is made elsewhere, of which only words come. */
  readonly isTold?: boolean;
  /** Whose word it is by, where that is not the rail’s. */
  readonly attested?: Attestant;
  /** True where it stays with the person that it was left to. */
  readonly keepsAttention?: boolean | undefined;
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
  if (!canBecome(payment.status, status, change.isTold)) return payment;
  const settled: PaymentRow =
    change.keepsAttention === true ? change.payment : { ...change.payment, attention: null, attention_at: null };
  yield* changePayment(payment, settled, change.isMerchantNoted);
  const isVoid = status === 'FAILED' || status === 'CANCELED';
  if (isVoid) yield* endStatus(payment.tenant_id, payment.mandate_id, now);
  yield* recountPayment(payment, settled, isVoid ? yield* releaseReservation(payment) : undefined);
  const data = Object.assign(
    paymentFacts(payment),
    change.facts,
    change.payment.status === 'AUTHORIZED' ? {} : attestedBy(deps, payment, change),
  );
  const actorDid = change.byAgent === true ? payment.agent_did : deps.issuer.did;
  yield* recordEvent(deps, payment.tenant_id, { eventType: change.eventType, actorDid, data }, now);
  for (const tell of deps.operations.hooks.afterOutcome) yield* tell(deps, settled, now);
  return settled;
}

/** Whose word a settlement is by, where the merchant settles it and not this node. */
function attestedBy(
  { operations }: Pick<Deps, 'operations'>,
  { rail }: PaymentRow,
  { attested, payment: { status } }: PaymentChange,
): object {
  if (status === 'UNKNOWN' || status === 'FAILED') return {};
  const protocol = operations.hooks.protocols.find((each) => each.rail === rail);
  return compact({ attested: attested ?? protocol?.attests });
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

/** Of what is paid elsewhere a word may come at any time; a rail that is asked tells of an authorization first. */
export const TOLD: readonly PaymentStatus[] = ['AUTHORIZED', 'UNKNOWN', 'CANCELED'];

/**
 * @param capturedMinor what was taken in all; undefined is returned where it was taken before
 * @param isTold for a payment that is made elsewhere
 */
export function captured(
  payment: PaymentRow,
  capturedMinor: number,
  now: number,
  isTold = false,
): PaymentChange | undefined {
  // A refund that failed, or a dispute that was won, leads to CAPTURED as well, and is no capture.
  if (!(isTold ? TOLD.includes(payment.status) : payment.status === 'AUTHORIZED')) return undefined;
  return {
    isTold,
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

/** @param reason why, where no caller asked for it @param isTold for a payment that is made elsewhere */
export function canceled(payment: PaymentRow, reason: string | undefined, isTold = false): PaymentChange {
  return {
    isTold,
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
