/** Asks the rail at once about a payment whose outcome is open, in place of the next try that the node would make by itself. */
import { z } from 'zod';
import { Payment } from '../../../protocol/payment.ts';
import { lookUpAtRail } from '../../domain/payments/askRail.ts';
import { reconcileWithRail } from '../../domain/payments/convergePayment.ts';
import { loadPayment } from '../../domain/payments/loadPayment.ts';
import { unflagPayment } from '../../domain/payments/recordOutcome.ts';
import { settleAttempt } from '../../domain/payments/settleAttempt.ts';
import { loadPaymentAnswer } from '../../domain/payments/showPayment.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findOpenAttempt } from '../../store/statements/purchases/railAttempts.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase, writeLogged } from '../../usecase/useCase.ts';

const ReconcilePayment = z.object({ mandateId: z.string() });

export const reconcilePayment = useCase({
  summary: 'Asks the rail at once about a payment whose outcome is open, and answers how the payment stands then.',
  input: ReconcilePayment,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND'],
  run: inSteps<z.output<typeof ReconcilePayment>, Payment>(async (deps, caller, { mandateId }) => {
    const { payment, open } = await deps.store.read(function* () {
      const payment = yield* loadPayment(caller, mandateId);
      return { payment, open: yield* findOpenAttempt(caller.tenantId, mandateId) };
    });
    if (open !== undefined) await settleAttempt(deps, open);
    else if (payment.attention !== null) await lookAgain(deps, payment);
    return deps.store.read(function* () {
      return yield* loadPaymentAnswer(yield* loadPayment(caller, mandateId));
    });
  }),
});

/** What was left to a person may have been set right at the rail since; what is not stays theirs, since the same moment. */
async function lookAgain(deps: Deps, before: PaymentRow): Promise<void> {
  const { rail, rail_id: railId, tenant_id: tenantId, mandate_id: mandateId } = before;
  if (railId === null) return;
  const lookup = await lookUpAtRail(deps, rail, railId, before, deps.stopping);
  if (lookup.kind !== 'found') return;
  const { snapshot } = lookup;
  await writeLogged(deps, tenantId, function* (own, now) {
    const payment = yield* findPayment(tenantId, mandateId);
    // A reset of the sandbox's data may have taken it away in the meantime.
    if (payment === undefined) return;
    const seen = yield* reconcileWithRail(own, { ...payment, attention: null }, { before, snapshot }, now);
    if (seen.attention === null) yield* unflagPayment({ ...seen, attention: payment.attention });
  });
}
