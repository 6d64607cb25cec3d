/** It is told that a reserved payment was not made. Whether that frees the amount is for the policy to say. */
import { evidenceFacts, ReleaseRequest, requireHappened } from '../../../protocol/external/reservation.ts';
import { Payment } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { recordNodeEvent } from '../../domain/evidence/recordEvent.ts';
import { loadExternalRules } from '../../domain/payments/endReservation.ts';
import { canceled, flagPayment, transition } from '../../domain/payments/recordOutcome.ts';
import { loadPaymentAnswer } from '../../domain/payments/showPayment.ts';
import { paymentFacts } from '../../domain/purchases/purchaseFacts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { useCase } from '../../usecase/useCase.ts';
import { attestantOf, isOverrun, loadReservation } from './loadReservation.ts';
import { inLoggedCommit } from './loggedCommit.ts';

export const releaseReservation = useCase({
  summary: 'Tells that a reserved payment was not made elsewhere.',
  input: ReleaseRequest,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: inLoggedCommit(release),
});

function* release(deps: Deps, caller: Caller, input: ReleaseRequest, now: number): Script<Payment> {
  const { payment, row } = yield* loadReservation(caller, input.mandateId);
  const { status } = payment;
  if (status === 'CANCELED') return yield* loadPaymentAnswer(payment);
  if (status !== 'AUTHORIZED' && status !== 'UNKNOWN') {
    throw new Fault('CONFLICT', `The payment is ${status}; what came back of it is told as a refund.`);
  }
  const attested = attestantOf(caller);
  const { reason } = input;
  requireHappened('evidence.occurredAt', input.evidence?.occurredAt, now);
  const evidence = input.evidence === undefined ? undefined : evidenceFacts(input.evidence);
  const facts = compact({ reason, channel: row.channel, evidence });
  const rules = yield* loadExternalRules(deps, caller.tenantId);
  if (attested === 'owner' || (rules.release === 'agent' && !isOverrun(payment))) {
    const change = canceled(payment, reason, true);
    const freed = yield* transition(deps, payment, { ...change, facts, attested }, now);
    return yield* loadPaymentAnswer(freed);
  }
  const word = `The agent says that it did not pay (${reason}); an owner says whether the amount is free again.`;
  // An owner who is asked to free it is to know that it told of more before.
  const [before = ''] = isOverrun(payment) ? (payment.attention ?? '').split(' The agent says') : [];
  const told = `${before} ${word}`.trim();
  if (payment.attention === told) return yield* loadPaymentAnswer(payment);
  const data = { ...paymentFacts(payment), ...facts, note: told, attested };
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_NOTED', data, now);
  return yield* loadPaymentAnswer(yield* flagPayment(deps, payment, told, now));
}
