/** Handles a rail's notifications. Each counts once, in whatever order they arrive. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { RailEvent, RailNotice } from '../../rails/notice.ts';
import type { RailSnapshot } from '../../rails/rail.ts';
import { findPayment, findPaymentAtRail, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findRailAttempt } from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { handleSptNotice } from '../spt/handleSptNotice.ts';
import { convergePayment } from './convergePayment.ts';
import { recordDispute, recordDisputeEnd } from './recordDispute.ts';
import { rememberRailEvent } from './rememberRailEvent.ts';

type DisputeNotice = Extract<RailNotice, { kind: 'dispute' }>;

/** @throws Fault UNAVAILABLE when the rail must be asked and does not answer; the rail then sends the notification again */
export async function handleRailEvent(deps: Deps, railId: string, event: RailEvent): Promise<void> {
  const { notice } = event;
  if (notice.kind === 'other') return;
  if (notice.kind === 'token') return handleSptNotice(deps, event, notice);
  const known = await findKnown(deps, railId, notice);
  const snapshot = notice.kind === 'payment' ? notice.snapshot : await lookUpDisputed(deps, railId, notice, known);
  const payment = known ?? (snapshot && (await deps.store.read(() => findBySnapshot(railId, snapshot))));
  if (payment === undefined) {
    // Other programs may use the same account at the rail.
    deps.log.info('rail.unknownPayment', { rail: railId, event: event.id, type: event.type });
    return;
  }
  await deps.store.write(payment.tenant_id, (now) => apply(deps, payment, event, snapshot, now));
}

function* apply(
  deps: Deps,
  found: PaymentRow,
  event: RailEvent,
  snapshot: RailSnapshot | undefined,
  now: number,
): Script<void> {
  const { tenant_id: tenantId, mandate_id: mandateId } = found;
  if (!(yield* rememberRailEvent(event, tenantId, now))) return;
  const payment = yield* findPayment(tenantId, mandateId);
  if (payment === undefined) return;
  const standing = snapshot === undefined ? payment : yield* convergePayment(deps, payment, snapshot, now);
  if (event.notice.kind === 'dispute') yield* dispute(deps, standing, event.notice, now);
}

function* dispute(deps: Deps, payment: PaymentRow, notice: DisputeNotice, now: number): Script<void> {
  const { disputeId, reason, outcome } = notice;
  const disputed = yield* recordDispute(deps, payment, { disputeId, reason }, now);
  if (outcome !== undefined) yield* recordDisputeEnd(deps, disputed, { disputeId, outcome }, now);
}

async function findKnown(
  deps: Deps,
  railId: string,
  notice: Exclude<RailNotice, { kind: 'token' | 'other' }>,
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

/** A dispute's notification does not say what was captured; where that is not recorded yet, the rail is asked. */
async function lookUpDisputed(
  deps: Deps,
  railId: string,
  notice: DisputeNotice,
  known: PaymentRow | undefined,
): Promise<RailSnapshot | undefined> {
  if (known !== undefined && !BEFORE_CAPTURE.includes(known.status)) return undefined;
  try {
    return await deps.rails.get(railId)?.snapshot?.(notice.railId);
  } catch (error) {
    deps.log.warn('rail.failed', { rail: railId, error: String(error) });
    throw new Fault('UNAVAILABLE', 'The rail could not be asked about this payment; send the event again.');
  }
}
