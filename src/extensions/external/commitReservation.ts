/** It is told that a reserved payment was made elsewhere: such a word is always taken, and never for more than was reserved. */
import {
  CommitRequest,
  type ExternalEvidence,
  evidenceFacts,
  requireHappened,
} from '../../../protocol/external/reservation.ts';
import { formatMoney, fromMinor } from '../../../protocol/money.ts';
import { Payment } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { recordNodeEvent } from '../../domain/evidence/recordEvent.ts';
import { loadExternalRules } from '../../domain/payments/endReservation.ts';
import { captured, flagPayment, TOLD, transition } from '../../domain/payments/recordOutcome.ts';
import { loadPaymentAnswer } from '../../domain/payments/showPayment.ts';
import { minorAt, paymentFacts } from '../../domain/purchases/purchaseFacts.ts';
import {
  findExternalPaymentOfHash,
  findExternalPaymentOfReference,
  saveExternalEvidence,
} from '../../store/statements/purchases/externalPayments.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { changePayment } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { useCase } from '../../usecase/useCase.ts';
import { attestantOf, isOverrun, loadReservation, overrunReason, type Reservation } from './loadReservation.ts';
import { inLoggedCommit } from './loggedCommit.ts';

export const commitReservation = useCase({
  summary: 'Tells that a reserved payment was made elsewhere, and what for.',
  input: CommitRequest,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: inLoggedCommit(commit),
});

function* commit(deps: Deps, caller: Caller, input: CommitRequest, now: number): Script<Payment | Fault> {
  const reservation = yield* loadReservation(caller, input.mandateId);
  const { payment, row } = reservation;
  const amountMinor =
    input.amount === undefined ? payment.amount_minor : minorAt('amount', input.amount, payment.currency);
  const evidence = evidenceFacts(input.evidence);
  const told = JSON.stringify({ evidence, amountMinor });
  if (row.evidence === told) return yield* loadPaymentAnswer(payment);
  requireHappened('evidence.occurredAt', evidence.occurredAt, now);
  requireEvidence(evidence, (yield* loadExternalRules(deps, caller.tenantId)).evidence);
  yield* requireFirst(reservation, evidence);
  if (amountMinor > payment.amount_minor)
    return yield* overrun(deps, caller, reservation, { amountMinor, evidence }, now);
  const isLate = payment.status === 'CANCELED';
  if (isLate && row.commit_until <= now) {
    throw new Fault(
      'CONFLICT',
      `The payment could be told of until ${isoTime(row.commit_until)}; an owner settles it.`,
    );
  }
  requireNoLess(caller, reservation, amountMinor);
  const change = captured(payment, amountMinor, now, true);
  if (change === undefined) {
    throw new Fault(
      'CONFLICT',
      `The payment is ${payment.status}: it was told before, with other evidence or for another amount.`,
    );
  }
  yield* saveExternalEvidence({
    tenant_id: row.tenant_id,
    mandate_id: row.mandate_id,
    amount_minor: amountMinor,
    evidence: told,
    evidence_hash: input.evidence.sha256 ?? null,
    reference: evidence.reference ?? null,
  });
  const facts = { ...change.facts, channel: row.channel, evidence };
  const attested = attestantOf(caller);
  const keepsAttention = attested === 'agent' && isOverrun(payment);
  const paid = yield* transition(deps, payment, { ...change, facts, attested, keepsAttention }, now);
  if (!isLate) return yield* loadPaymentAnswer(paid);
  return yield* loadPaymentAnswer(yield* recordLate(deps, paid, now));
}

/** What was released and paid after all counts again, also over a limit; a person sees it. */
export function* recordLate(deps: Deps, paid: PaymentRow, now: number): Script<PaymentRow> {
  yield* recordNodeEvent(deps, paid.tenant_id, 'PAYMENT_LATE_SUCCESS', paymentFacts(paid), now);
  const reason = 'What was reserved had been released before it was told that it was paid; it counts once more.';
  return yield* flagPayment(deps, paid, reason, now);
}

const NEEDS: Readonly<Record<'none' | 'reference' | 'hash', (evidence: ExternalEvidence) => boolean>> = {
  none: () => true,
  reference: ({ reference, sha256 }) => reference !== undefined || sha256 !== undefined,
  hash: ({ sha256 }) => sha256 !== undefined,
};

/** @throws Fault BAD_REQUEST for less than the policy asks for */
function requireEvidence(evidence: ExternalEvidence, least: keyof typeof NEEDS): void {
  if (NEEDS[least](evidence)) return;
  const message =
    least === 'hash' ? 'must have sha256, as the policy asks' : 'must have reference or sha256, as the policy asks';
  throw new Fault('BAD_REQUEST', `The evidence ${message}.`, [{ path: 'evidence', message }]);
}

/** @throws Fault CONFLICT for a receipt that has paid for another reservation */
function* requireFirst({ row }: Reservation, { sha256, reference }: ExternalEvidence): Script<void> {
  const { tenant_id: tenantId, merchant } = row;
  const hash = sha256?.replace('sha256:', '');
  const sameDocument = hash === undefined ? undefined : yield* findExternalPaymentOfHash(tenantId, hash);
  const sameName =
    reference === undefined ? undefined : yield* findExternalPaymentOfReference(tenantId, merchant, reference);
  for (const [first, what] of [
    [sameDocument, 'This document'],
    [sameName, 'This reference'],
  ] as const) {
    if (first === undefined || first.mandate_id === row.mandate_id) continue;
    throw new Fault('CONFLICT', `${what} has paid for ${first.mandate_id}; a receipt counts for one reservation.`);
  }
}

/** @throws Fault CONFLICT for less than was reserved by an agent that told of more: it would free what it said was paid */
function requireNoLess(caller: Caller, { payment }: Reservation, amountMinor: number): void {
  const { attention, amount_minor: reserved, currency } = payment;
  if (amountMinor >= reserved || !TOLD.includes(payment.status)) return;
  if (attestantOf(caller) === 'owner' || !isOverrun(payment)) return;
  const rest = `Commit the ${formatMoney(reserved, currency)}, and reserve the rest with tops ${payment.mandate_id}`;
  throw new Fault('CONFLICT', `${attention} ${rest}; or an owner settles it.`);
}

/** More was paid than was reserved: it stays held, and is left to an owner. */
function* overrun(
  deps: Deps,
  caller: Caller,
  reservation: Reservation,
  { amountMinor, evidence }: { readonly amountMinor: number; readonly evidence: ExternalEvidence },
  now: number,
): Script<Fault> {
  const { payment } = reservation;
  const { currency, amount_minor: reserved } = payment;
  const reason = overrunReason(formatMoney(amountMinor, currency), formatMoney(reserved, currency));
  if (payment.attention !== reason) {
    const data = {
      ...paymentFacts(payment),
      paid: fromMinor(amountMinor, currency),
      evidence,
      attested: attestantOf(caller),
    };
    yield* recordNodeEvent(deps, payment.tenant_id, 'EXTERNAL_OVERRUN', data, now);
    const held: PaymentRow = { ...payment, hold_until: null };
    yield* changePayment(payment, held);
    yield* flagPayment(deps, held, reason, now);
  }
  return new Fault('CONFLICT', `${reason} ${overrunRemedy(reservation, amountMinor, now)}`);
}

/** What is done about it, which a payment that was told of before, or that is over, leaves less to. */
function overrunRemedy({ payment, row }: Reservation, amountMinor: number, now: number): string {
  const { status, currency, mandate_id: mandateId } = payment;
  const tops = (toldMinor: number) =>
    `reserve the other ${formatMoney(amountMinor - toldMinor, currency)} with tops ${mandateId}`;
  if (status === 'CANCELED' && row.commit_until <= now)
    return `The payment could be told of until ${isoTime(row.commit_until)}; an owner sees it.`;
  if (TOLD.includes(status))
    return `So commit what was reserved, and ${tops(payment.amount_minor)}; or an owner settles it.`;
  const before = formatMoney(payment.captured_minor, currency);
  return `The payment is ${status}: ${before} was told of it before. So ${tops(payment.captured_minor)}; an owner sees it.`;
}
