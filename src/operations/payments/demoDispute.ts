/** The sandbox's card holder disputes a payment. */

import { z } from 'zod';
import { Payment } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { loadPayment } from '../../domain/payments/loadPayment.ts';
import { showPayment } from '../../domain/payments/showPayment.ts';
import { recordDispute } from '../../domain/railEvents/recordDispute.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const DemoDispute = z.object({ mandateId: z.string(), reason: z.string().min(1).max(100).default('fraudulent') });

export const demoDispute = useCase({
  summary: 'Disputes a captured payment, as the sandbox’s card holder.',
  input: DemoDispute,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  sandboxOnly: true,
  run: inOneCommit<z.output<typeof DemoDispute>, Payment>(function* (
    deps: EventDeps & Pick<Deps, 'demo'>,
    caller,
    { mandateId, reason },
    { now },
  ) {
    if (deps.demo === undefined) throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
    const payment = yield* loadPayment(caller, mandateId);
    const disputed = yield* recordDispute(deps, payment, { reason, disputeId: deps.newId('dp_') }, now);
    if (disputed.status !== 'DISPUTED' || payment.status === 'DISPUTED')
      throw new Fault('CONFLICT', `A payment that is ${payment.status} cannot be disputed.`);
    return showPayment(disputed);
  }),
});
