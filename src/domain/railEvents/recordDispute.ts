/** Records what a rail says of a dispute: its row, what it takes of the payment, and its evidence where that changes. */

import type { OccurrenceType } from '../../../protocol/evidence/eventTypes.ts';
import { fromMinor } from '../../../protocol/money.ts';
import type { PaymentStatus } from '../../../protocol/payment.ts';
import {
  type DisputeNews,
  type DisputeStatus,
  isInquiry,
  isOldNews,
  isOpenDispute,
  isStandingDispute,
  statusAfter,
} from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { type DisputeRow, findDispute, putDispute } from '../../store/statements/purchases/disputes.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { changePayment } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { statusOfMoney } from '../payments/recordOutcome.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';

/** A dispute of what is refunded already changes nothing of the money, and is recorded all the same. */
const DISPUTABLE: readonly PaymentStatus[] = ['CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'];

/** A dispute as the rail tells of it; members that it does not say are undefined. */
export interface DisputeReport extends DisputeNews {
  readonly railDisputeId: string;
  /** In minor units. */
  readonly amountMinor: number | undefined;
  readonly currency: string | undefined;
  /** As the rail calls it. */
  readonly reason: string | undefined;
  readonly dueBy: number | undefined;
}

/** @returns the payment as it stands then, unchanged where it cannot be disputed */
export function* recordDispute(
  deps: EventDeps,
  payment: PaymentRow,
  report: DisputeReport,
  now: number,
): Script<PaymentRow> {
  if (!DISPUTABLE.includes(payment.status) && !isInquiry(report.status)) return payment;
  const before = yield* findDispute(payment, report.railDisputeId);
  const id = before?.id ?? deps.newId('dsp_');
  const after =
    before === undefined ? newDispute(id, payment, report, now) : changedDispute(before, payment, report, now);
  if (before !== undefined && isSame(before, after)) return payment;
  yield* putDispute(after);
  const changed = paymentAfter(payment, before, after);
  if (moneyOf(changed) !== moneyOf(payment)) yield* changePayment(payment, changed);
  for (const eventType of eventsOf(before?.status, after.status)) {
    yield* recordNodeEvent(deps, payment.tenant_id, eventType, disputeFacts(changed, after), now);
  }
  return changed;
}

function newDispute(id: string, payment: PaymentRow, report: DisputeReport, now: number): DisputeRow {
  return {
    tenant_id: payment.tenant_id,
    mandate_id: payment.mandate_id,
    rail_dispute_id: report.railDisputeId,
    id,
    agent_did: payment.agent_did,
    amount_minor: amountIn(payment, report) ?? payment.captured_minor - payment.refunded_minor,
    currency: payment.currency,
    reason: report.reason ?? null,
    status: report.status,
    due_by: report.dueBy ?? null,
    opened_at: now,
    closed_at: isEnd(report.status) ? now : null,
    told_at: report.toldAt ?? null,
    submissions: 0,
    submitting_at: null,
    submitting_by: null,
  };
}

function changedDispute(before: DisputeRow, payment: PaymentRow, report: DisputeReport, now: number): DisputeRow {
  const known = { status: before.status, toldAt: before.told_at ?? undefined };
  if (isOldNews(known, report)) return before;
  const status = statusAfter(known, report);
  const isOver = isEnd(status);
  return {
    ...before,
    amount_minor: amountIn(payment, report) ?? before.amount_minor,
    reason: report.reason ?? before.reason,
    status,
    due_by: report.dueBy ?? before.due_by,
    closed_at: isOver ? (before.status === status ? before.closed_at : now) : null,
    told_at: report.toldAt ?? before.told_at,
  };
}

/** Currencies are never added: an amount in another one says nothing of how much of the payment is disputed. */
function amountIn({ currency }: PaymentRow, report: DisputeReport): number | undefined {
  return report.currency === undefined || report.currency === currency ? report.amountMinor : undefined;
}

function isEnd(status: DisputeStatus): boolean {
  return !isOpenDispute(status) && status !== 'inquiry';
}

function isSame(one: DisputeRow, other: DisputeRow): boolean {
  return (Object.keys(one) as (keyof DisputeRow)[]).every((name) => one[name] === other[name]);
}

/** The payment with what the dispute takes of it now, in place of what it took before. */
function paymentAfter(payment: PaymentRow, before: DisputeRow | undefined, after: DisputeRow): PaymentRow {
  const taken = (row: DisputeRow | undefined) =>
    row !== undefined && isStandingDispute(row.status) ? { count: 1, minor: row.amount_minor } : { count: 0, minor: 0 };
  const changed: PaymentRow = {
    ...payment,
    dispute_count: payment.dispute_count + (before === undefined ? 1 : 0),
    standing_disputes: payment.standing_disputes + taken(after).count - taken(before).count,
    disputed_minor: payment.disputed_minor + taken(after).minor - taken(before).minor,
  };
  // An inquiry is noted at any time, also before there is money to dispute.
  if (!DISPUTABLE.includes(payment.status)) return changed;
  return { ...changed, status: statusOfMoney(changed, changed.captured_minor, changed.refunded_minor) };
}

function moneyOf({ status, dispute_count, standing_disputes, disputed_minor }: PaymentRow): string {
  return [status, dispute_count, standing_disputes, disputed_minor].join(' ');
}

/** One for its opening and one for its end, and none for what changes nothing of the money. */
function eventsOf(before: DisputeStatus | undefined, after: DisputeStatus): OccurrenceType[] {
  if (before === after) return [];
  const wasDispute = before !== undefined && !isInquiry(before);
  if (isInquiry(after) && !wasDispute) return ['PAYMENT_INQUIRY'];
  const opened: OccurrenceType[] = wasDispute ? [] : ['PAYMENT_DISPUTED'];
  if (isEnd(after)) return [...opened, 'PAYMENT_DISPUTE_CLOSED'];
  return before === 'lost' ? ['PAYMENT_DISPUTE_REOPENED'] : opened;
}

function disputeFacts(payment: PaymentRow, dispute: DisputeRow): Readonly<Record<string, unknown>> {
  return compact({
    ...paymentFacts(payment),
    amount: fromMinor(dispute.amount_minor, dispute.currency),
    currency: dispute.currency,
    disputeId: dispute.id,
    railDisputeId: dispute.rail_dispute_id,
    reason: dispute.reason ?? undefined,
    status: dispute.status,
    dueBy: isoTime(dispute.due_by),
    paymentStatus: payment.status,
  });
}
