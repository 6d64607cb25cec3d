/** The answer to a payment, with the forms it was asked in, the receipt where mandates stand behind it, and those of a checkout. */
import type { PaymentResult } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { type FormDeps, paidForms } from '../credentials/handOut.ts';
import { shownByAuthorizers } from '../purchases/authorize.ts';
import { showPaymentResult } from './showPayment.ts';

/** @param now milliseconds since the epoch */
export function* resultOfPayment(
  deps: FormDeps & Pick<Deps, 'operations'>,
  payment: PaymentRow,
  now: number,
): Script<PaymentResult> {
  const credentials = yield* paidForms(deps, payment, now);
  const besides = yield* shownByAuthorizers(deps, payment, true);
  return compact({ ...showPaymentResult(payment), credentials, ...besides }) as PaymentResult;
}
