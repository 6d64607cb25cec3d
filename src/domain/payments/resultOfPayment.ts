/** The answer to a payment, with the receipt where a chain of mandates stands behind it. */
import type { PaymentResult } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import { findReceipt } from '../mandateUses/paymentReceipts.ts';
import { showPaymentResult } from './showPayment.ts';

export function* resultOfPayment(payment: PaymentRow): Script<PaymentResult> {
  const paymentReceipt = yield* findReceipt(payment);
  return compact({ ...showPaymentResult(payment), paymentReceipt }) as PaymentResult;
}
