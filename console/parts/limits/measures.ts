/** How much of the limits of an agent is used, as sentences and shares. */
import type { Operations } from '../../../client/operations.ts';
import { amountText } from '../values/amount.ts';

export type ListedLimits = Operations['listLimits']['output']['data'][number];
export type ShownLimit = ListedLimits['limits'][number];

/** What of a limit is shown, whoever it is shown of. */
export type CountedLimit = Omit<ShownLimit, 'own' | 'windowSeconds'>;

export interface LimitMeasure {
  /** Such as "72.50 of 500.00 USD in 1 day". */
  readonly text: string;
  /** Of the limit, from 0 to 1. */
  readonly share: number;
  /** near: four fifths are used; full: nothing is left. */
  readonly state: 'free' | 'near' | 'full';
}

/** How the node names the limit of risk.velocity_limit, and an agent's own in place of it. */
export const VELOCITY_LIMIT = 'velocity_limit';

const NEAR = 0.8;

/** Each maximum of limits, with the limit that it is of. */
export function measuresOf(limits: readonly CountedLimit[]): readonly LimitMeasure[] {
  return limits.flatMap((limit) => {
    const name = limit.name === VELOCITY_LIMIT ? '' : `${limit.name}: `;
    const where = whereText(limit);
    const besides = [...(where === '' ? [] : [where]), ...(limit.scope === 'policy' ? ['all agents together'] : [])];
    return maximaOf(limit).map((measure) => ({
      ...measure,
      text: [`${name}${measure.text} ${periodText(limit)}`, ...besides].join(', '),
    }));
  });
}

/** The one of which the least is left. */
export function tightest(limits: readonly CountedLimit[]): LimitMeasure | undefined {
  return [...measuresOf(limits)].sort((one, other) => other.share - one.share)[0];
}

/** A limit may hold for a number, for a sum, or for both: "3 of 20 purchases", "72.50 of 500.00 USD". */
export function maximaOf({
  purchases,
  maxTransactions,
  spent,
  maxAmount,
  currency,
}: CountedLimit): readonly LimitMeasure[] {
  return [
    ...(maxTransactions === undefined
      ? []
      : [measured(purchases, maxTransactions, `${purchases} of ${maxTransactions} purchases`)]),
    ...(maxAmount === undefined ? [] : [measured(spent, maxAmount, sumText(spent, maxAmount, currency))]),
  ];
}

/** Such as "in 1 day" or "this month (Europe/Berlin)". */
function periodText({ window, resetsAt }: Pick<CountedLimit, 'window' | 'resetsAt'>): string {
  return resetsAt === undefined ? `in ${window}` : window;
}

/** Such as "groceries at shop.example"; empty where everything counts. */
export function whereText({ merchant, category }: Pick<CountedLimit, 'merchant' | 'category'>): string {
  const at = merchant === undefined ? [] : [`at ${merchant}`];
  return [...(category === undefined ? [] : [category.replaceAll('_', ' ')]), ...at].join(' ');
}

function measured(used: number, most: number, text: string): LimitMeasure {
  const share = most > 0 ? Math.min(used / most, 1) : 1;
  return { text, share, state: share >= 1 ? 'full' : share >= NEAR ? 'near' : 'free' };
}

function sumText(spent: number, most: number, currency: string | undefined): string {
  // Nothing was bought yet, in any currency.
  if (currency === undefined) return `${spent} of ${most} in each currency`;
  return `${amountText(spent, currency).replace(` ${currency}`, '')} of ${amountText(most, currency)}`;
}
