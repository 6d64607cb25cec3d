/** Records that evidence was submitted for a dispute: once for each time that the rail counts, by its answer, its notice or a look at it. */
import { type DisputeRow, findDispute, updateSubmission } from '../../store/statements/purchases/disputes.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';

type DisputeKey = Pick<DisputeRow, 'tenant_id' | 'mandate_id' | 'rail_dispute_id'>;

/**
 * Nothing is recorded where so many submissions are recorded already; else the dispute's mark is gone too.
 * @param submissions how often evidence was submitted, as the rail counts
 * @param by who had the node submit it; else the one whom the dispute is marked for
 */
export function* recordSubmissions(
  deps: EventDeps,
  key: DisputeKey,
  submissions: number,
  now: number,
  by?: object,
): Script<void> {
  const dispute = yield* findDispute(key, key.rail_dispute_id);
  if (dispute === undefined || submissions <= dispute.submissions) return;
  const payment = yield* findPayment(key.tenant_id, key.mandate_id);
  if (payment === undefined) return;
  yield* updateSubmission({ ...dispute, submissions, submitting_at: null, submitting_by: null });
  const data = submissionFacts(payment, dispute, by ?? askedBy(dispute));
  yield* recordNodeEvent(deps, key.tenant_id, 'PAYMENT_DISPUTE_SUBMITTED', data, now);
}

function askedBy({ submitting_by: by }: DisputeRow): object | undefined {
  return by === null ? undefined : JSON.parse(by);
}

/** Without a mark it was submitted at the rail itself, such as in its dashboard. */
function submissionFacts(payment: PaymentRow, dispute: DisputeRow, by: object | undefined) {
  const facts = { ...paymentFacts(payment), disputeId: dispute.id, railDisputeId: dispute.rail_dispute_id };
  if (by === undefined) return { ...facts, note: `${payment.rail} says that evidence was submitted.` };
  return { ...facts, by, note: `Submitted by the node to ${payment.rail}.` };
}
