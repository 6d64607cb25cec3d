/** Sums of what was spent over days, and what a chart of them shows. */

import type { SpendTotal } from '../../node/spending.ts';
import { amountOf } from '../../parts/values/amount.ts';
import { dayBefore } from '../../parts/values/days.ts';

/** The currencies in use, the one with the largest number first: there is no other order among them. */
export function currenciesOf(spent: readonly SpendTotal[]): readonly string[] {
  const totals = new Map<string, number>();
  for (const { currency, minor } of spent) totals.set(currency, (totals.get(currency) ?? 0) + minor);
  return [...totals].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
}

/** What was spent from a day on, in minor units. @param to the day after the last one; without it, up to now */
export function sumSince(byDay: readonly SpendTotal[], currency: string, from: string, to = '~'): number {
  const counted = byDay.filter((spent) => spent.currency === currency && spent.key >= from && spent.key < to);
  return counted.reduce((sum, { minor }) => sum + minor, 0);
}

/** One value for each day up to the last, the oldest first; a day without a payment is 0. */
export function series(byDay: readonly SpendTotal[], currency: string, last: string, days: number) {
  const sums = new Map(byDay.filter((spent) => spent.currency === currency).map(({ key, minor }) => [key, minor]));
  return Array.from({ length: days }, (_, index) => {
    const day = dayBefore(last, days - 1 - index);
    return { day, amount: amountOf(sums.get(day) ?? 0, currency) };
  });
}
