/** The places of what happened, loaded together: they are made of the same parts, and one file packs better than many. */
import { Decisions } from './decisions/Decisions.tsx';
import { OneDecision } from './decisions/OneDecision.tsx';
import { Evidence } from './evidence/Evidence.tsx';
import { OnePayment } from './payments/OnePayment.tsx';
import { Payments } from './payments/Payments.tsx';

export const RECORDS_PLACES = { Decisions, Evidence, OneDecision, OnePayment, Payments };
