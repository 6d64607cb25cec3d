/** The amount of one purchase: limits without a person and with one present. */
import { floorToMinor } from '../../money.ts';
import type { Check, Measure } from '../check.ts';
import { NOT_SET, otherCurrency, overLimit, withinLimit } from '../explain.ts';
import type { Rules } from '../rules.ts';

export interface AmountLimits {
  /** Purchases above it are refused. */
  readonly hardMinor: number;
  /** Purchases above it require a person; Infinity where the policy never asks one. */
  readonly aloneMinor: number;
}

/**
 * The limits of one purchase in a currency. Limits finer than the currency's minor unit are rounded down, which changes
 * no decision, since amounts are whole minor units.
 */
export function compileAmounts(rules: Rules, currency: string): AmountLimits {
  const minor = (amount: number | undefined) =>
    amount === undefined ? Number.POSITIVE_INFINITY : floorToMinor(amount, currency);
  const cap = minor(rules.spend?.amount_cap);
  const presenceCap = minor(rules.spend?.presence_cap ?? rules.spend?.amount_cap);
  const alone = Math.min(cap, minor(rules.context?.presence_threshold));
  // Where the policy never asks a person, amounts that would require one are over the cap.
  if (rules.context?.presence === 'never') {
    return { hardMinor: Math.min(alone, presenceCap), aloneMinor: Number.POSITIVE_INFINITY };
  }
  return { hardMinor: presenceCap, aloneMinor: alone };
}

/** Whether a policy refuses every amount, with a person as well as without. */
export function allowsNothing(rules: Rules): boolean {
  return compileAmounts(rules, rules.spend?.currency ?? 'USD').hardMinor === 0;
}

export const checkCap: Check = ({ policy, request: { amountMinor, currency }, comparable }) => {
  if (!comparable) return undefined;
  const { hardMinor } = policy.amountsIn(currency);
  return amountMinor > hardMinor ? overLimit(amountMinor, hardMinor, currency, 'the cap of') : undefined;
};

export const measureCap: Measure = (input) => {
  const { amountMinor, currency } = input.request;
  if (!input.comparable) return otherCurrency(input);
  const { hardMinor } = input.policy.amountsIn(currency);
  return hardMinor === Number.POSITIVE_INFINITY ? NOT_SET : withinLimit(amountMinor, hardMinor, currency, 'the cap of');
};

export const checkCurrency: Check = ({ policy, request: { currency }, comparable }) =>
  comparable ? undefined : { message: `The policy allows ${policy.rules.spend?.currency}, not ${currency}.` };

export const measureCurrency: Measure = ({ policy, request: { currency } }) =>
  policy.rules.spend?.currency === undefined
    ? NOT_SET
    : { asked: currency, sentence: `${currency} is the policy's currency.` };
