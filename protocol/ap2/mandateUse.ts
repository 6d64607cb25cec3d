/**
 * What an open mandate still allows, by what it was used for before: single use, recurrence and budget (AP2 v0.2), and the number of
 * a subscription (Verifiable Intent 0.1, which leaves all of them to the payment network).
 */
import { formatMoney, fromMinor } from '../money.ts';
import type { ReasonDetails } from '../reason.ts';
import type { UseLimit } from '../sdjwt/mandateChain.ts';
import { isoTime } from '../wire/time.ts';

/** What all uses of an open mandate come to so far. */
export interface MandateUse {
  readonly uses: number;
  readonly spentMinor: number;
  /** Milliseconds since the epoch; undefined where it was not used. */
  readonly lastUseAt: number | undefined;
}

type Frequency = NonNullable<UseLimit['recurrence']>['frequency'];

const DAY_MS = 24 * 3600 * 1000;
/** 1970-01-05 was a Monday, on which ISO weeks begin. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

interface Period {
  readonly name: string;
  /** The number of the calendar period, in UTC, that a time is in; later periods have higher numbers. */
  of(at: number): number;
}

const DAY: Period = { name: 'day', of: (at) => Math.floor(at / DAY_MS) };
const WEEK: Period = { name: 'week', of: weekOf };
const FORTNIGHT: Period = { name: 'fortnight', of: (at) => Math.floor(weekOf(at) / 2) };
const QUARTER: Period = months(3, 'quarter');
const MONTH: Period = months(1, 'month');
const YEAR: Period = months(12, 'year');

const PERIODS: Readonly<Record<Exclude<Frequency, 'ON_DEMAND' | 'INDA'>, Period>> = {
  DAILY: DAY,
  DAIL: DAY,
  WEEKLY: WEEK,
  WEEK,
  BIWEEKLY: FORTNIGHT,
  TOWK: FORTNIGHT,
  TWMN: { name: 'half of a month', of: (at) => monthOf(at) * 2 + (new Date(at).getUTCDate() > 15 ? 1 : 0) },
  MONTHLY: MONTH,
  MNTH: MONTH,
  TOMN: months(2, 'two months'),
  QUARTERLY: QUARTER,
  QUTR: QUARTER,
  FOMN: months(4, 'four months'),
  SEMI: months(6, 'half-year'),
  ANNUALLY: YEAR,
  YEAR,
  TYEA: months(24, 'two years'),
};

/** Periods of so many months of the calendar, from a January on. */
function months(count: number, name: string): Period {
  return { name, of: (at) => Math.floor(monthOf(at) / count) };
}

/** @returns undefined where the agent chooses when, as often as it likes within a day */
function periodOf(frequency: Frequency | undefined): Period | undefined {
  return frequency === undefined || frequency === 'ON_DEMAND' || frequency === 'INDA' ? undefined : PERIODS[frequency];
}

function weekOf(at: number): number {
  return Math.floor((at - FIRST_MONDAY_MS) / (7 * DAY_MS));
}

function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** By what uses are counted: the signed token, and in it the pair of mandates, each of which is one of its own. */
export function ledgerKeyOf({ jwtHash, pair }: Pick<UseLimit, 'jwtHash' | 'pair'>): string {
  return pair === undefined ? jwtHash : `${jwtHash} ${pair}`;
}

/**
 * Why an open mandate does not allow one more use.
 * @param payment in another currency than the budget's, it is refused by the chain's own verification
 * @param now milliseconds since the epoch
 */
export function refuseUse(
  { isSingleUse, recurrence, budget, subscription }: UseLimit,
  { uses, spentMinor, lastUseAt }: MandateUse,
  payment: { readonly amountMinor: number; readonly currency: string },
  now: number,
): ReasonDetails {
  const details: ReasonDetails = {};
  if (isSingleUse && uses > 0) {
    details.MANDATE_USED = { message: 'The open mandate allows one payment, and was used for another one.' };
  }
  const most = recurrence?.maxOccurrences;
  if (most !== undefined && uses >= most) {
    const message = `The open mandate allows ${most} payments, and was used for ${uses}.`;
    details.VELOCITY_EXCEEDED = { requested: uses + 1, limit: most, message };
  }
  const period = periodOf(recurrence?.frequency);
  // Also where the clock was set back: no period is used twice.
  if (period !== undefined && lastUseAt !== undefined && period.of(now) <= period.of(lastUseAt)) {
    const message = `The open mandate allows one payment a calendar ${period.name} (UTC), and was used at ${isoTime(lastUseAt)}.`;
    details.VELOCITY_EXCEEDED ??= { message };
  }
  const setups = subscription?.number;
  if (setups !== undefined && uses >= setups) {
    const message = `The subscription of the open mandate is for ${setups} payments, and was used for ${uses}.`;
    details.VELOCITY_EXCEEDED ??= { requested: uses + 1, limit: setups, message };
  }
  if (payment.currency === budget?.currency && spentMinor + payment.amountMinor > budget.maxMinor) {
    const { currency, maxMinor } = budget;
    const left = Math.max(maxMinor - spentMinor, 0);
    details.SPENDING_LIMIT_EXCEEDED = {
      requested: fromMinor(spentMinor + payment.amountMinor, currency),
      limit: fromMinor(maxMinor, currency),
      used: fromMinor(spentMinor, currency),
      left: fromMinor(left, currency),
      currency,
      message: `${formatMoney(payment.amountMinor, currency)} is more than the ${formatMoney(left, currency)} that are left of the open mandate's budget of ${formatMoney(maxMinor, currency)}.`,
    };
  }
  return details;
}
