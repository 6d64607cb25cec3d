/** The places of Payments, loaded together: whoever opens one goes on to another, and one file packs better than many. */
import { OnePayment } from './OnePayment.tsx';
import { Payments } from './Payments.tsx';

export const PAYMENTS_PLACES = { OnePayment, Payments };
