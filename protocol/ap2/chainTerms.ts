/** What a chain of mandates is judged by once more when it is paid: its issuer, its end, what it is paid with, and its limits. */
import type { ReasonDetails } from '../reason.ts';
import type { MandateChain, UseLimit } from '../sdjwt/mandateChain.ts';
import { paidUntil } from '../sdjwt/paymentConstraints.ts';
import { isoTime } from '../wire/time.ts';

/** Kept with the use of a chain. Times are in milliseconds since the epoch. */
export interface ChainTerms {
  /** The issuer that began it, in the registry. */
  readonly mandateIssuerId: string;
  /** The `payment_instrument.id` of the closed mandate. */
  readonly instrument: string;
  readonly limits: readonly UseLimit[];
  /** From when on one of its mandates has expired. */
  readonly refusedFrom?: number;
  /** The last moment at which its constraints let it be paid. */
  readonly paidUntil?: number;
}

export function chainTerms(
  { open, limits, refusedFrom }: Pick<MandateChain, 'open' | 'limits' | 'refusedFrom'>,
  about: Pick<ChainTerms, 'mandateIssuerId' | 'instrument'>,
): ChainTerms {
  const end = paidUntil(open.flatMap(({ constraints }) => constraints));
  return {
    ...about,
    limits,
    ...(refusedFrom === undefined ? {} : { refusedFrom: refusedFrom * 1000 }),
    ...(end === undefined ? {} : { paidUntil: end }),
  };
}

/** Why a chain whose payment was allowed is not paid any more: its time is over. @param now milliseconds since the epoch */
export function refuseLate({ refusedFrom, paidUntil: end }: ChainTerms, now: number): ReasonDetails {
  const details: ReasonDetails = {};
  if (refusedFrom !== undefined && now > refusedFrom) {
    details.MANDATE_INVALID = { message: `One of its mandates has expired since it was presented.` };
  }
  if (end !== undefined && now > end) {
    details.TIME_WINDOW_VIOLATED = { message: `The mandate is to be paid until ${isoTime(end)}.` };
  }
  return details;
}
