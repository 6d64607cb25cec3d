/** The places of Payments, loaded together: a user who opens one goes on to another, and one file packs better than many. */
import { OnePayment } from './OnePayment.tsx';
import { Payments } from './Payments.tsx';

export const PAYMENTS_PLACES = { OnePayment, Payments };
