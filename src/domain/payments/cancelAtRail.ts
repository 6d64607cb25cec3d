/** A hold is released at once, by a request of its own, whose answer is the payment as it stands then. */
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findPayment } from '../../store/statements/purchases/payments.ts';
import { countAttempts, findOpenAttempt } from '../../store/statements/purchases/railAttempts.ts';
import { openAttempt } from './railAttempt.ts';
import { askAndRecord } from './throughRail.ts';

/** Only one that is authorized and has no operation under way is canceled: what is another one stays as it is. */
export async function cancelAtRail(
  deps: Parameters<typeof askAndRecord>[0],
  { tenant_id: tenantId, mandate_id: mandateId }: Pick<PaymentRow, 'mandate_id' | 'tenant_id'>,
): Promise<PaymentRow | undefined> {
  const begun = await deps.store.write(tenantId, function* (now) {
    const payment = yield* findPayment(tenantId, mandateId);
    if (payment?.status !== 'AUTHORIZED' || (yield* findOpenAttempt(tenantId, mandateId)) !== undefined)
      return undefined;
    const key = `${mandateId}:cancel:${yield* countAttempts(tenantId, mandateId)}`;
    return { attempt: yield* openAttempt(deps, payment, { key, operation: 'cancel' }, now), rail: payment.rail };
  });
  if (begun !== undefined) {
    await askAndRecord(deps, begun, { now: begun.attempt.created_at }, function* () {
      return undefined;
    });
  }
  return deps.store.read(() => findPayment(tenantId, mandateId));
}
