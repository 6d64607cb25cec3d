/** Takes in what a rail tells of its own accord. An event counts once, and the order in which events come is no matter. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { RailEvent, RailNotice } from '../../rails/notice.ts';
import type { RailSnapshot } from '../../rails/rail.ts';
import { findPayment, findPaymentAtRail, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findRailAttempt } from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { takeTokenNotice } from '../spt/handleSptNotice.ts';
import { convergePayment } from './convergePayment.ts';
import { noteRailEvent } from './noteRailEvent.ts';
import { closeDispute, recordDispute } from './recordDispute.ts';

type DisputeNotice = Extract<RailNotice, { kind: 'dispute' }>;

/** @throws Fault UNAVAILABLE when the rail has to be asked and does not answer; it sends the event again then */
export async function takeRailEvent(deps: Deps, railId: string, event: RailEvent): Promise<void> {
  const { notice } = event;
  if (notice.kind === 'other') return;
  if (notice.kind === 'token') return takeTokenNotice(deps, event, notice);
  const known = await findKnown(deps, railId, notice);
  const snapshot = notice.kind === 'payment' ? notice.snapshot : await lookFor(deps, railId, notice, known);
  const payment = known ?? (snapshot && (await deps.store.read(() => findBySnapshot(railId, snapshot))));
  if (payment === undefined) {
    // Other programs may use the same account.
    deps.log('rail.stranger', { rail: railId, event: event.id, type: event.type });
    return;
  }
  await deps.store.write(payment.tenant_id, () => take(deps, payment, event, snapshot));
}

function* take(deps: Deps, found: PaymentRow, event: RailEvent, snapshot: RailSnapshot | undefined): Script<void> {
  const now = deps.clock();
  const { tenant_id: tenantId, mandate_id: mandateId } = found;
  if (!(yield* noteRailEvent(event, tenantId, now))) return;
  const payment = yield* findPayment(tenantId, mandateId);
  if (payment === undefined) return;
  const standing = snapshot === undefined ? payment : yield* convergePayment(deps, payment, snapshot, now);
  if (event.notice.kind === 'dispute') yield* dispute(deps, standing, event.notice, now);
}

function* dispute(deps: Deps, payment: PaymentRow, notice: DisputeNotice, now: number): Script<void> {
  const { disputeId, reason, outcome } = notice;
  const disputed = yield* recordDispute(deps, payment, { disputeId, reason }, now);
  if (outcome !== undefined) yield* closeDispute(deps, disputed, { disputeId, outcome }, now);
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

/** A dispute says nothing of what was captured; where that is not known yet, the rail is asked. */
async function lookFor(
  deps: Deps,
  railId: string,
  notice: DisputeNotice,
  known: PaymentRow | undefined,
): Promise<RailSnapshot | undefined> {
  if (known !== undefined && !BEFORE_CAPTURE.includes(known.status)) return undefined;
  try {
    return await deps.rails.get(railId)?.snapshot?.(notice.railId);
  } catch (error) {
    deps.log('rail.failed', { rail: railId, error: String(error) });
    throw new Fault('UNAVAILABLE', 'The rail could not be asked about this payment; send the event again.');
  }
}
