/** What an open mandate allows, and what was bought by it, in words. */
import type { Delegation } from '../../../../client/operations.ts';
import { amountText } from '../../../../console/parts/values/amount.ts';
import { dayText } from '../../../../console/parts/values/moment.ts';

type Frequency = NonNullable<Delegation['limits']['recurrence']>['frequency'];

const OFTEN: Readonly<Record<Frequency, string>> = {
  ON_DEMAND: 'as often as it is needed',
  DAILY: 'once a day',
  WEEKLY: 'once a week',
  BIWEEKLY: 'once in two weeks',
  MONTHLY: 'once a month',
  QUARTERLY: 'once a quarter',
  ANNUALLY: 'once a year',
};

/** Such as "Up to 50.00 USD each, 200.00 USD in all, at shop.example, once a week, 12 times at most, until 3 Dec 2026." */
export function limitText({ maxAmount, currency, merchants, budget, expiresAt, recurrence }: Delegation['limits']) {
  const money = (amount: number | undefined) =>
    amount === undefined || currency === undefined ? undefined : amountText(amount, currency);
  const [each, all] = [money(maxAmount), money(budget)];
  const most = recurrence?.maxOccurrences;
  const parts = [
    each === undefined ? 'Any amount' : `Up to ${each} each`,
    all === undefined ? undefined : `${all} in all`,
    merchants === undefined ? 'at any merchant' : `at ${merchants.join(', ') || 'no merchant'}`,
    recurrence === undefined ? 'one purchase' : OFTEN[recurrence.frequency],
    most === undefined ? undefined : `${most} times at most`,
    expiresAt === undefined ? 'without an end' : `until ${dayText(new Date(expiresAt))} ${expiresAt.slice(0, 4)}`,
  ];
  return `${parts.filter((part) => part !== undefined).join(', ')}.`;
}

/** Such as "Used twice, 40.00 of 200.00 USD". */
export function usedText({ used: { uses, spent }, limits: { budget, currency } }: Delegation): string {
  if (uses === 0) return 'Not used yet';
  const times = uses === 1 ? 'Used once' : `Used ${uses} times`;
  if (spent === undefined || currency === undefined) return times;
  const of = budget === undefined ? '' : ` of ${amountText(budget, currency)}`;
  return `${times}, ${amountText(spent, currency)}${of}`;
}
