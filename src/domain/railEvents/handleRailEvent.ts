/** Handles a rail's notifications. Each counts once, in any order of arrival. */

import { Fault } from '../../../protocol/wire/fault.ts';
import type { RailEvent, RailNotice } from '../../rails/notice.ts';
import type { RailSnapshot } from '../../rails/rail.ts';
import { findHttpPaymentOfCredential } from '../../store/statements/purchases/httpPayments.ts';
import { findPayment, findPaymentAtRail, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findRailAttempt } from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { writeLogged } from '../../usecase/useCase.ts';
import { lookUpAtRail } from '../payments/askRail.ts';
import { convergePayment, isNewest, type ReconcileInput, reconcileWithRail } from '../payments/convergePayment.ts';
import { recordSubmissions } from '../payments/recordSubmissions.ts';
import { handleSptNotice } from './handleSptNotice.ts';
import { type DisputeReport, recordDispute } from './recordDispute.ts';
import { recordRefundFailure } from './recordRefundFailure.ts';
import { rememberRailEvent } from './rememberRailEvent.ts';

type DisputeNotice = Extract<RailNotice, { kind: 'dispute' }>;
type PaymentNotice = Exclude<RailNotice, { kind: 'token' | 'other' }>;

/** @throws Fault UNAVAILABLE when the rail must be asked and does not answer; the rail then sends the notification again */
export async function handleRailEvent(deps: Deps, railId: string, event: RailEvent): Promise<void> {
  const { notice } = event;
  if (notice.kind === 'other') return;
  if (notice.kind === 'token') {
    const paid = await deps.store.read(() => findPaidBy(deps, notice.tokenId));
    return paid === undefined ? handleSptNotice(deps, event, notice) : followToken(deps, event, paid);
  }
  const known = await findKnown(deps, railId, notice);
  const isLooked = needsLook(notice, known);
  const snapshot = isLooked ? await look(deps, railId, railIdOf(notice), known) : snapshotIn(notice);
  const payment = known ?? (snapshot && (await deps.store.read(() => findBySnapshot(railId, snapshot))));
  if (payment === undefined) {
    // Other programs may use the same account at the rail.
    deps.log.info('rail.unknownPayment', { rail: railId, event: event.id, type: event.type });
    return;
  }
  const lookup = { before: payment, snapshot };
  await writeLogged(deps, payment.tenant_id, (own, now) => apply(own, event, lookup, isLooked, now));
}

/** The payment by HTTP that a token pays, of whose rail this is the account. */
function* findPaidBy(deps: Pick<Deps, 'hashToken'>, token: string): Script<PaymentRow | undefined> {
  const row = yield* findHttpPaymentOfCredential(deps.hashToken(token));
  return row && (yield* findPayment(row.tenant_id, row.mandate_id));
}

/** What became of it is looked up: a token may be used up in parts, and has ended for more reasons than it names. */
async function followToken(deps: Deps, event: RailEvent, before: PaymentRow): Promise<void> {
  const snapshot = await look(deps, before.rail, before.rail_id ?? before.mandate_id, before);
  await writeLogged(deps, before.tenant_id, (own, now) => applyToken(own, event, { before, snapshot }, now));
}

/** Of a token that has ended the rail's word corrects what a merchant said before. */
function* applyToken(deps: Deps, event: RailEvent, lookup: ReconcileInput, now: number): Script<void> {
  const { before, snapshot } = lookup;
  if (!(yield* rememberRailEvent(event, before.tenant_id, now))) return;
  const payment = yield* findPayment(before.tenant_id, before.mandate_id);
  if (payment === undefined || snapshot === undefined) return;
  if (snapshot.state === 'authorized') yield* convergePayment(deps, payment, snapshot, now);
  else yield* reconcileWithRail(deps, payment, lookup, now);
}

function* apply(deps: Deps, event: RailEvent, lookup: ReconcileInput, isLooked: boolean, now: number): Script<void> {
  const { before, snapshot } = lookup;
  const { tenant_id: tenantId, mandate_id: mandateId } = before;
  if (!(yield* rememberRailEvent(event, tenantId, now))) return;
  const payment = yield* findPayment(tenantId, mandateId);
  if (payment === undefined) return;
  const standing = snapshot === undefined ? payment : yield* convergePayment(deps, payment, snapshot, now);
  const { notice } = event;
  if (notice.kind === 'dispute') {
    yield* recordDispute(deps, standing, reportOf(notice, event.createdAt), now);
    const dispute = { tenant_id: tenantId, mandate_id: mandateId, rail_dispute_id: notice.disputeId };
    yield* recordSubmissions(deps, dispute, notice.submissions ?? 0, now);
  }
  if (!isLooked || snapshot?.refundedMinor === undefined || snapshot.refundedMinor >= standing.refunded_minor) return;
  // What was recorded since the look may be a refund that the look did not see.
  if (!isNewest(payment, lookup)) throw new Fault('UNAVAILABLE', 'This payment is changing; send the event again.');
  yield* recordRefundFailure(deps, standing, snapshot.refundedMinor, now);
}

function reportOf({ disputeId: railDisputeId, ...said }: DisputeNotice, toldAt: number | undefined): DisputeReport {
  const { amountMinor, currency, reason, status, reopens, dueBy } = said;
  return { railDisputeId, amountMinor, currency, reason, status, reopens, dueBy, toldAt };
}

async function findKnown(
  deps: Pick<Deps, 'store'>,
  railId: string,
  notice: PaymentNotice,
): Promise<PaymentRow | undefined> {
  return deps.store.read(function* () {
    if (notice.kind === 'payment') return yield* findBySnapshot(railId, notice.snapshot);
    const payment = yield* findPaymentAtRail(notice.railId);
    return payment?.rail === railId ? payment : undefined;
  });
}

function* findBySnapshot(railId: string, snapshot: RailSnapshot): Script<PaymentRow | undefined> {
  const payment = yield* findPaymentAtRail(snapshot.railId);
  if (payment?.rail === railId) return payment;
  const attempt = snapshot.mandateId === undefined ? undefined : yield* findRailAttempt(snapshot.mandateId);
  const mandated = attempt && (yield* findPayment(attempt.tenant_id, attempt.payment_id));
  return mandated?.rail === railId ? mandated : undefined;
}

const BEFORE_CAPTURE = ['PENDING', 'UNKNOWN', 'AUTHORIZED'];

/**
 * Whether the rail has to be asked how the payment stands: a dispute's notification does not say what was captured, a
 * failed refund's not what is left, and after that an older notification may still tell of the refund as done.
 */
function needsLook(notice: PaymentNotice, known: PaymentRow | undefined): boolean {
  if (notice.kind === 'refundFailed') return true;
  if (notice.kind !== 'payment') return known === undefined || BEFORE_CAPTURE.includes(known.status);
  return known?.refund_failed_at != null && (notice.snapshot.refundedMinor ?? 0) > known.refunded_minor;
}

function snapshotIn(notice: PaymentNotice): RailSnapshot | undefined {
  return notice.kind === 'payment' ? notice.snapshot : undefined;
}

function railIdOf(notice: PaymentNotice): string {
  return notice.kind === 'payment' ? notice.snapshot.railId : notice.railId;
}

async function look(
  deps: Deps,
  railName: string,
  railId: string,
  known: PaymentRow | undefined,
): Promise<RailSnapshot | undefined> {
  const lookup = await lookUpAtRail(deps, railName, railId, known);
  if (lookup.kind === 'found') return lookup.snapshot;
  if (lookup.kind === 'notMirrored') return undefined;
  throw new Fault('UNAVAILABLE', 'The rail could not be asked about this payment; send the event again.');
}
