/** Compares what a merchant said of a settlement with the chain, once that knows: what they do not agree on is left to a person. */
import { compact } from '../../../protocol/wire/compact.ts';
import { recordNodeEvent } from '../../domain/evidence/recordEvent.ts';
import { lookUpAtRail } from '../../domain/payments/askRail.ts';
import { reconcileWithRail } from '../../domain/payments/convergePayment.ts';
import { paymentFacts } from '../../domain/purchases/purchaseFacts.ts';
import {
  confirmHttpPaymentAt,
  type HttpPaymentRow,
  listHttpPaymentsToConfirm,
} from '../../store/statements/purchases/httpPayments.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { Schedule } from '../../usecase/schedule.ts';
import { writeLogged } from '../../usecase/useCase.ts';
import { patience, workOff } from '../../workers/patience.ts';

const HOUR_MS = 3_600_000;
/** A chain that has not said within a day is asked no more: the merchant's word stands. */
const MOST_MS = 24 * HOUR_MS;

export const confirmSchedule: Schedule = {
  name: 'transfers',
  pauseMs: 10_000,
  work: (waiting, deps) => confirmTransfers(deps, waiting),
};

export async function confirmTransfers(deps: Deps, waiting = patience(deps, 'transfers')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listHttpPaymentsToConfirm(now, limit)),
    keyOf: ({ mandate_id: id }) => id,
    settle: (row) => confirm(deps, row),
  });
}

async function confirm(deps: Deps, row: HttpPaymentRow): Promise<void> {
  const { tenant_id: tenantId, mandate_id: mandateId } = row;
  const before = await deps.store.read(() => findPayment(tenantId, mandateId));
  const lookup = before?.status === 'CAPTURED' ? await lookUp(deps, before) : undefined;
  await writeLogged(deps, tenantId, function* (own, now) {
    const payment = yield* findPayment(tenantId, mandateId);
    // A hold that is open is settled by its own end, which asks the chain as well.
    const isOpen = payment !== undefined && ['PENDING', 'UNKNOWN', 'AUTHORIZED'].includes(payment.status);
    const isUnsaid = lookup?.state === 'authorized' || (before?.status === 'CAPTURED' && lookup === undefined);
    const isPatient = isOpen || (isUnsaid && now - row.expires_at < MOST_MS);
    yield* confirmHttpPaymentAt(tenantId, mandateId, isPatient ? now + HOUR_MS : null);
    if (payment === undefined || before === undefined || lookup === undefined || lookup.state === 'authorized') return;
    if (lookup.state === 'captured') {
      const said = { note: 'The chain has settled the transfer.', attested: 'chain', reference: lookup.reference };
      const data = { ...paymentFacts(payment), ...compact(said) };
      yield* recordNodeEvent(own, tenantId, 'PAYMENT_NOTED', data, now);
    }
    yield* reconcileWithRail(own, payment, { before, snapshot: lookup }, now);
  });
}

/** @returns undefined where the chain is not asked, or does not answer */
async function lookUp(deps: Deps, payment: PaymentRow) {
  const { rail, rail_id: railId } = payment;
  const lookup = await lookUpAtRail(deps, rail, String(railId), payment, deps.stopping);
  return lookup.kind === 'found' ? lookup.snapshot : undefined;
}
