/** How much in one purchase: what an agent may spend alone, and what with a person present. */
import { floorToMinor } from '../../money.ts';
import type { Check } from '../check.ts';
import { overLimit } from '../explain.ts';
import type { Rules } from '../rules.ts';

export interface AmountLimits {
  /** A purchase above it is refused. */
  readonly hardMinor: number;
  /** Above it a person must be present; Infinity where none can be asked. */
  readonly aloneMinor: number;
}

/**
 * The limits of one purchase in a currency. A rule finer than the currency's minor unit is rounded down, which
 * changes no answer, amounts being whole minor units.
 */
export function compileAmounts(rules: Rules, currency: string): AmountLimits {
  const minor = (amount: number | undefined) =>
    amount === undefined ? Number.POSITIVE_INFINITY : floorToMinor(amount, currency);
  const cap = minor(rules.spend?.amount_cap);
  const presenceCap = minor(rules.spend?.presence_cap ?? rules.spend?.amount_cap);
  const alone = Math.min(cap, minor(rules.context?.presence_threshold));
  // Where no person may be asked, what would need one is over the cap.
  if (rules.context?.presence === 'never') {
    return { hardMinor: Math.min(alone, presenceCap), aloneMinor: Number.POSITIVE_INFINITY };
  }
  return { hardMinor: presenceCap, aloneMinor: alone };
}

export const checkCap: Check = ({ policy, request: { amountMinor, currency }, comparable }) => {
  if (!comparable) return undefined;
  const { hardMinor } = policy.amountsIn(currency);
  return amountMinor > hardMinor ? overLimit(amountMinor, hardMinor, currency, 'the cap of') : undefined;
};

export const checkCurrency: Check = ({ policy, request: { currency }, comparable }) =>
  comparable ? undefined : { message: `The policy allows ${policy.rules.spend?.currency}, not ${currency}.` };
