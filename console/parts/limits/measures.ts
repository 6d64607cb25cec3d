/** How much of the limits of an agent is used, as sentences and shares. */
import type { Operations } from '../../../client/operations.ts';
import { amountText } from '../values/amount.ts';

export type AgentLimits = Operations['listLimits']['output']['data'][number];
export type LimitUse = AgentLimits['limits'][number];

export interface LimitMeasure {
  /** Such as "72.50 of 500.00 USD in 1 day". */
  readonly text: string;
  /** Of the limit, from 0 to 1. */
  readonly share: number;
  /** near: four fifths are used; full: nothing is left. */
  readonly state: 'free' | 'near' | 'full';
}

const NEAR = 0.8;

/** A limit may hold for a number, for a sum, or for both. */
export function measuresOf(limits: readonly LimitUse[]): readonly LimitMeasure[] {
  return limits.flatMap(({ scope, window, purchases, maxTransactions, spent, maxAmount, currency }) => {
    const within = `in ${window}${scope === 'policy' ? ', all agents together' : ''}`;
    return [
      ...(maxTransactions === undefined
        ? []
        : [measured(purchases, maxTransactions, `${purchases} of ${maxTransactions} purchases ${within}`)]),
      ...(maxAmount === undefined
        ? []
        : [measured(spent, maxAmount, `${sumText(spent, maxAmount, currency)} ${within}`)]),
    ];
  });
}

/** The one of which the least is left. */
export function tightest(limits: readonly LimitUse[]): LimitMeasure | undefined {
  return [...measuresOf(limits)].sort((one, other) => other.share - one.share)[0];
}

function measured(used: number, most: number, text: string): LimitMeasure {
  const share = most > 0 ? Math.min(used / most, 1) : 1;
  return { text, share, state: share >= 1 ? 'full' : share >= NEAR ? 'near' : 'free' };
}

function sumText(spent: number, most: number, currency: string | undefined): string {
  // Where the policy names no currency, amounts of all of them count at face value.
  if (currency === undefined) return `${spent} of ${most} in any currency`;
  return `${amountText(spent, currency).replace(` ${currency}`, '')} of ${amountText(most, currency)}`;
}
