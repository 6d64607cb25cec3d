/** The answer to a payment, with the forms it was asked in, the receipt where mandates stand behind it, and those of a checkout. */
import type { PaymentResult } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import { type FormDeps, paidForms } from '../credentials/handOut.ts';
import { findReceipt } from '../mandateUses/paymentReceipts.ts';
import { findMandatesOfPayment } from '../ucp/mandatesOfPayment.ts';
import { showPaymentResult } from './showPayment.ts';

/** @param now milliseconds since the epoch */
export function* resultOfPayment(deps: FormDeps, payment: PaymentRow, now: number): Script<PaymentResult> {
  const paymentReceipt = yield* findReceipt(payment);
  const credentials = yield* paidForms(deps, payment, now);
  const ucp = yield* findMandatesOfPayment(deps, payment);
  return compact({ ...showPaymentResult(payment), paymentReceipt, credentials, ucp }) as PaymentResult;
}
