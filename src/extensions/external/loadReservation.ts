/** What was reserved for a payment elsewhere, and what is told of it. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { requirePayment } from '../../domain/payments/loadPayment.ts';
import { type ExternalPaymentRow, findExternalPayment } from '../../store/statements/purchases/externalPayments.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Attestant } from '../../usecase/paymentProtocol.ts';

export interface Reservation {
  readonly row: ExternalPaymentRow;
  readonly payment: PaymentRow;
}

/** @throws Fault NOT_FOUND for one that is not the caller's, or was made in another way */
export function* loadReservation(caller: Caller, mandateId: string): Script<Reservation> {
  const payment = requirePayment(caller, yield* findPayment(caller.tenantId, mandateId), mandateId);
  const row = yield* findExternalPayment(caller.tenantId, mandateId);
  if (row === undefined) throw new Fault('NOT_FOUND', `The payment ${mandateId} is not made elsewhere.`);
  return { row, payment };
}

const RESERVED = 'that were reserved.';

/** Why a payment is left to a person of which more was told than was reserved. */
export function overrunReason(paid: string, reserved: string): string {
  return `${paid} was paid of the ${reserved} ${RESERVED}`;
}

/** Whether more was told of it than was reserved: then it is no agent's to say that less was paid, or nothing. */
export function isOverrun({ attention, status, hold_until: holdUntil }: PaymentRow): boolean {
  return (status === 'AUTHORIZED' && holdUntil === null) || attention?.includes(RESERVED) === true;
}

/** Whose word it is: who administers the node is its owner, whose money it is. */
export function attestantOf({ permissions }: Caller): Extract<Attestant, 'agent' | 'owner'> {
  return permissions.has('admin') ? 'owner' : 'agent';
}
