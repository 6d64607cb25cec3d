/** An owner says that a dispute was answered, with what and where: the rail tells of its end, and of no answer. */
import { z } from 'zod';
import { DisputeRecord, isOpenDispute } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { showDisputeRecord } from '../../domain/payments/showPayment.ts';
import { paymentFacts } from '../../domain/purchases/purchaseFacts.ts';
import { findDisputeById } from '../../store/statements/purchases/disputes.ts';
import { findPayment } from '../../store/statements/purchases/payments.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const SubmitDispute = z.strictObject({
  id: z.string(),
  note: z.string().trim().min(1).max(500).describe('What was submitted, and where; it stands in the evidence.'),
});

export const submitDispute = useCase({
  summary: 'Records that evidence was submitted for a dispute: where, and what.',
  input: SubmitDispute,
  output: DisputeRecord,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof SubmitDispute>, DisputeRecord>(function* (deps, caller, { id, note }, { now }) {
    const dispute = yield* findDisputeById(caller.tenantId, id);
    if (dispute === undefined) throw new Fault('NOT_FOUND', `There is no dispute ${id}.`);
    if (!isOpenDispute(dispute.status)) {
      throw new Fault('CONFLICT', `The dispute is ${dispute.status}: only one that is open is answered.`);
    }
    const payment = yield* findPayment(caller.tenantId, dispute.mandate_id);
    if (payment === undefined) throw new Error(`dispute ${id} has no payment`);
    const facts = { ...paymentFacts(payment), disputeId: id, railDisputeId: dispute.rail_dispute_id, note };
    yield* recordAdminEvent(deps, caller, 'PAYMENT_DISPUTE_SUBMITTED', facts, now);
    return showDisputeRecord(dispute);
  }),
});
