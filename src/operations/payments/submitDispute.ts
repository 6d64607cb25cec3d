/** An owner says that a dispute was answered, with what and where: the rail tells of its end, and of no answer. */
import { z } from 'zod';
import { DisputeRecord } from '../../../protocol/payment.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { loadOpenDispute } from '../../domain/payments/loadOpenDispute.ts';
import { showDisputeRecord } from '../../domain/payments/showPayment.ts';
import { paymentFacts } from '../../domain/purchases/purchaseFacts.ts';
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
    const { dispute, payment } = yield* loadOpenDispute(caller, id);
    const facts = { ...paymentFacts(payment), disputeId: id, railDisputeId: dispute.rail_dispute_id, note };
    yield* recordAdminEvent(deps, caller, 'PAYMENT_DISPUTE_SUBMITTED', facts, now);
    return showDisputeRecord(dispute);
  }),
});
