/** Loads a dispute that can be answered, with its payment. */
import { isOpenDispute } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { type DisputeRow, findDisputeById } from '../../store/statements/purchases/disputes.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';

export interface LoadedDispute {
  readonly dispute: DisputeRow;
  readonly payment: PaymentRow;
}

/** @throws Fault NOT_FOUND for one that is not the tenant's, CONFLICT for one that has ended */
export function* loadOpenDispute({ tenantId }: Caller, id: string): Script<LoadedDispute> {
  const dispute = yield* findDisputeById(tenantId, id);
  if (dispute === undefined) throw new Fault('NOT_FOUND', `There is no dispute ${id}.`);
  if (!isOpenDispute(dispute.status)) {
    throw new Fault('CONFLICT', `The dispute is ${dispute.status}: only one that is open is answered.`);
  }
  const payment = yield* findPayment(tenantId, dispute.mandate_id);
  if (payment === undefined) throw new Error(`dispute ${id} has no payment`);
  return { dispute, payment };
}
