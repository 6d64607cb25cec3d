/** A payment mandate of AP2: which cart it pays, and with what. */
import { RailName } from '../instrument.ts';
import { toMinor } from '../money.ts';
import { compact } from '../wire/compact.ts';
import { readCartMandate } from './cartMandate.ts';
import { PaymentMandate, readAs, refuse } from './mandateShapes.ts';

interface Ap2Payment {
  /** The id of the payment's details, as the cart has it. */
  readonly detailsId: string;
  readonly totalMinor: number;
  readonly currency: string;
  /** The payment method that the mandate names by a text, which may be none that this node knows. */
  readonly instrument?: string;
}

const PATH = 'paymentMandate';
const CONTENTS = `${PATH}.payment_mandate_contents`;

/** @throws Fault BAD_REQUEST for a mandate that is malformed, or that a user is said to have signed */
export function readPaymentMandate(mandate: unknown): Ap2Payment {
  const { payment_mandate_contents: contents, user_authorization: signed } = readAs(PaymentMandate, mandate, PATH);
  // What cannot be verified must not look as if it had been.
  if (signed !== undefined && signed !== null) {
    refuse(`${PATH}.user_authorization`, 'cannot be verified by this node; send the mandate without it');
  }
  const { payment_details_id: detailsId, payment_details_total: total, payment_response: response } = contents;
  if (total.pending === true)
    refuse(`${CONTENTS}.payment_details_total.pending`, 'is true, and only what is final is paid');
  const { currency, value } = total.amount;
  const instrument = RailName.safeParse(response.details?.['token']).data;
  return compact({ detailsId, totalMinor: toMinor(value, currency), currency, instrument });
}

/**
 * @param cartMandate that was approved, as received
 * @throws Fault BAD_REQUEST where a payment mandate is for another cart, or for another total
 */
export function requireSamePurchase(payment: Ap2Payment, cartMandate: unknown): void {
  const { detailsId, totalMinor, currency } = readCartMandate(cartMandate);
  if (payment.detailsId !== detailsId)
    refuse(`${CONTENTS}.payment_details_id`, `is not that of the cart, ${detailsId}`);
  if (payment.totalMinor !== totalMinor || payment.currency !== currency) {
    refuse(`${CONTENTS}.payment_details_total`, 'is not the total of the cart');
  }
}
