/** Loads a payment for a caller who acts for its agent. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';

/** @throws Fault NOT_FOUND for a payment that is not the caller's to see */
export function* loadPayment(caller: Caller, mandateId: string): Script<PaymentRow> {
  return requirePayment(caller, yield* findPayment(caller.tenantId, mandateId), mandateId);
}

/** @param payment as it was loaded by its id @throws as loadPayment */
export function requirePayment(caller: Caller, payment: PaymentRow | undefined, mandateId: string): PaymentRow {
  if (payment === undefined || !actsFor(caller, payment.agent_did)) {
    throw new Fault('NOT_FOUND', `There is no payment ${mandateId}.`);
  }
  return payment;
}
