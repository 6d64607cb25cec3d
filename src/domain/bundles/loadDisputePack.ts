/** Loads all that answers the disputes of a payment. */
import { type DisputePack, disputePack } from '../../../protocol/dispute/disputePack.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { disputesOf } from '../../store/statements/purchases/disputes.ts';
import { findHttpPayment } from '../../store/statements/purchases/httpPayments.ts';
import type { CosignerDeps } from '../../usecase/watch.ts';
import { loadPayment } from '../payments/loadPayment.ts';
import { showPaymentRecord } from '../payments/showPayment.ts';
import { portableBundle } from './portableBundle.ts';

/** @throws Fault NOT_FOUND for a payment that is not the caller's to see, CONFLICT for one without a dispute */
export async function loadDisputePack(deps: CosignerDeps, caller: Caller, mandateId: string): Promise<DisputePack> {
  const { payment, told } = await deps.store.read(function* () {
    const row = yield* loadPayment(caller, mandateId);
    const disputes = yield* disputesOf([row]);
    if (disputes.length === 0) throw new Fault('CONFLICT', `The payment ${mandateId} has no dispute.`);
    const { receipt = null } = (yield* findHttpPayment(row.tenant_id, mandateId)) ?? {};
    return { payment: showPaymentRecord({ ...row, disputes }), told: receipt ?? undefined };
  });
  const bundle = await portableBundle(deps, caller.tenantId, payment.transactionId);
  if (bundle === undefined) throw new Error(`payment ${mandateId} has no evidence`);
  return disputePack(payment, bundle, { told, madeAt: isoTime(deps.clock()) });
}
