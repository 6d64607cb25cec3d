/** Records a card holder's dispute of a payment, once: its state and its evidence. */

import { fromMinor } from '../../../protocol/money.ts';
import type { PaymentStatus } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { changePayment } from '../../store/statements/purchases/spendSums.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { statusOfMoney } from '../payments/transition.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';
import { rememberRailEvent } from './rememberRailEvent.ts';

/** A dispute of what is refunded already changes nothing of the money, and is recorded all the same. */
const DISPUTABLE: readonly PaymentStatus[] = ['CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'];

/**
 * Records the opening of a dispute.
 * @param dispute.reason as the rail calls it
 * @returns the payment as it stands now, unchanged where it cannot be disputed (any more)
 */
export function* recordDispute(
  deps: EventDeps,
  payment: PaymentRow,
  dispute: { readonly reason?: string | undefined; readonly disputeId: string },
  now: number,
): Script<PaymentRow> {
  const { disputeId } = dispute;
  if (payment.dispute_id === disputeId || !DISPUTABLE.includes(payment.status)) return payment;
  const opened: PaymentRow = { ...payment, dispute_id: disputeId, dispute_outcome: null };
  const disputed: PaymentRow = {
    ...opened,
    status: statusOfMoney(opened, opened.captured_minor, opened.refunded_minor),
  };
  yield* changePayment(payment, disputed);
  const data = compact({
    ...paymentFacts(payment),
    disputed: fromMinor(payment.captured_minor, payment.currency),
    reason: dispute.reason,
    disputeId,
  });
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_DISPUTED', data, now);
  return disputed;
}

/**
 * Records the end of a dispute, once. One that was won gives the money back.
 * @param dispute.outcome as the rail calls it, such as `won` or `lost`
 */
export function* recordDisputeEnd(
  deps: EventDeps,
  payment: PaymentRow,
  dispute: { readonly disputeId: string; readonly outcome: string },
  now: number,
): Script<void> {
  if (payment.dispute_id !== dispute.disputeId || payment.dispute_outcome !== null) return;
  const ended: PaymentRow = { ...payment, dispute_outcome: dispute.outcome };
  const status = statusOfMoney(ended, ended.captured_minor, ended.refunded_minor);
  yield* changePayment(payment, { ...ended, status });
  const data = { ...paymentFacts(payment), ...dispute, status };
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_DISPUTE_CLOSED', data, now);
}

/** Records that the rail asks about a payment, once for each state of the question: it takes no money back. */
export function* recordInquiry(
  deps: EventDeps,
  payment: PaymentRow,
  inquiry: { readonly disputeId: string; readonly reason: string | undefined; readonly status: string },
  now: number,
): Script<void> {
  const { disputeId, reason, status } = inquiry;
  const event = { id: `${disputeId}:${status}`, type: 'inquiry' };
  if (!(yield* rememberRailEvent(event, payment.tenant_id, now))) return;
  const data = compact({ ...paymentFacts(payment), disputeId, reason, status });
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_INQUIRY', data, now);
}
