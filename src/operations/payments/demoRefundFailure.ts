/** The bank of the sandbox's card holder lets refunds of a payment fail. */

import { z } from 'zod';
import { Payment } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { loadPayment } from '../../domain/payments/loadPayment.ts';
import { loadPaymentAnswer } from '../../domain/payments/showPayment.ts';
import { recordRefundFailure } from '../../domain/railEvents/recordRefundFailure.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const DemoRefundFailure = z.object({ mandateId: z.string() });

export const demoRefundFailure = useCase({
  summary: 'Lets the refunds of a payment fail, as the card’s bank may in days to come.',
  input: DemoRefundFailure,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  sandboxOnly: true,
  run: inOneCommit<z.output<typeof DemoRefundFailure>, Payment>(function* (
    deps: HookDeps & Pick<Deps, 'keys'>,
    caller,
    { mandateId },
    { now },
  ) {
    if (deps.keys.demo === undefined) throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
    const payment = yield* loadPayment(caller, mandateId);
    if (payment.refunded_minor === 0) throw new Fault('CONFLICT', 'Nothing of this payment was refunded.');
    return yield* loadPaymentAnswer(yield* recordRefundFailure(deps, payment, 0, now));
  }),
});
