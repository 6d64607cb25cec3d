/** Takes a refund back that failed at the rail after it had counted as done. */
import { z } from 'zod';
import { Payment } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { inOneCommit, useCase } from '../core/useCase.ts';
import { loadPayment } from './listPayments.ts';
import { showPayment } from './showPayment.ts';
import { refundTakenBack, transition } from './transition.ts';

/** @param refundedMinor what all refunds that hold come to */
export function* recordRefundFailure(
  deps: Deps,
  payment: PaymentRow,
  refundedMinor: number,
  now: number,
): Script<PaymentRow> {
  const change = refundTakenBack(payment, refundedMinor, now);
  return change === undefined ? payment : yield* transition(deps, payment, change, now);
}

const DemoRefundFailure = z.object({ mandateId: z.string() });

export const demoRefundFailure = useCase({
  summary: 'Lets the refunds of a payment fail, as the card’s bank may in days to come.',
  input: DemoRefundFailure,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  sandboxOnly: true,
  run: inOneCommit<z.output<typeof DemoRefundFailure>, Payment>(function* (deps, caller, { mandateId }, { now }) {
    if (deps.demo === undefined) throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
    const payment = yield* loadPayment(caller, mandateId);
    if (payment.refunded_minor === 0) throw new Fault('CONFLICT', 'Nothing of this payment was refunded.');
    return showPayment(yield* recordRefundFailure(deps, payment, 0, now));
  }),
});
