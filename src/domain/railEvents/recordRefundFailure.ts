/** Takes a refund back that failed at the rail after it had counted as done. */

import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { refundTakenBack, transition } from '../payments/recordOutcome.ts';

/** @param refundedMinor the sum of all refunds that hold */
export function* recordRefundFailure(
  deps: HookDeps,
  payment: PaymentRow,
  refundedMinor: number,
  now: number,
): Script<PaymentRow> {
  const change = refundTakenBack(payment, refundedMinor, now);
  return change === undefined ? payment : yield* transition(deps, payment, change, now);
}
