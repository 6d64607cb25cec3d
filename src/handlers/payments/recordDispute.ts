/** Records a card holder's dispute of a payment, once: its state and its evidence. */
import { z } from 'zod';
import { fromMinor } from '../../../protocol/money.ts';
import { canBecome, Payment } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type PaymentRow, updatePayment } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { paymentFacts } from '../core/purchaseFacts.ts';
import { inOneCommit, useCase } from '../core/useCase.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { loadPayment } from './listPayments.ts';
import { showPayment } from './showPayment.ts';

/**
 * Records the opening of a dispute.
 * @param dispute.reason as the rail calls it
 * @returns the payment as it stands now, unchanged where it cannot be disputed (any more)
 */
export function* recordDispute(
  deps: Deps,
  payment: PaymentRow,
  dispute: { readonly reason?: string | undefined; readonly disputeId?: string | undefined },
  now: number,
): Script<PaymentRow> {
  if (!canBecome(payment.status, 'DISPUTED')) return payment;
  const disputed: PaymentRow = { ...payment, status: 'DISPUTED', dispute_id: dispute.disputeId ?? null };
  yield* updatePayment(disputed);
  const data = compact({
    ...paymentFacts(payment),
    disputed: fromMinor(payment.captured_minor, payment.currency),
    reason: dispute.reason,
    disputeId: dispute.disputeId,
  });
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_DISPUTED', data, now);
  return disputed;
}

/**
 * Records the end of a dispute, once.
 * @param dispute.outcome as the rail calls it, such as `won` or `lost`
 */
export function* recordDisputeEnd(
  deps: Deps,
  payment: PaymentRow,
  dispute: { readonly disputeId: string; readonly outcome: string },
  now: number,
): Script<void> {
  if (payment.status !== 'DISPUTED' || payment.dispute_outcome !== null) return;
  if (payment.dispute_id !== null && payment.dispute_id !== dispute.disputeId) return;
  yield* updatePayment({ ...payment, dispute_id: dispute.disputeId, dispute_outcome: dispute.outcome });
  const data = { ...paymentFacts(payment), ...dispute };
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_DISPUTE_CLOSED', data, now);
}

const DemoDispute = z.object({ mandateId: z.string(), reason: z.string().min(1).max(100).default('fraudulent') });

export const demoDispute = useCase({
  summary: 'Disputes a captured payment, as the sandbox’s card holder.',
  input: DemoDispute,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  sandboxOnly: true,
  run: inOneCommit<z.output<typeof DemoDispute>, Payment>(function* (deps, caller, { mandateId, reason }, { now }) {
    if (deps.demo === undefined) throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
    const payment = yield* loadPayment(caller, mandateId);
    const disputed = yield* recordDispute(deps, payment, { reason }, now);
    if (disputed === payment) throw new Fault('CONFLICT', `A payment that is ${payment.status} cannot be disputed.`);
    return showPayment(disputed);
  }),
});
