/** Anomalies: an amount far above what the agent has paid before. */
import { formatMoney } from '../../money.ts';
import type { ReasonDetail } from '../../reason.ts';
import type { Check, CheckInput } from '../check.ts';
import { overLimit } from '../explain.ts';

/**
 * Compares the amount with the mean and the population standard deviation of earlier payments. When those were all
 * equal, any higher amount is an anomaly.
 * @returns the anomaly, or undefined when there is none, the history is too short, or the rule is not set
 */
export function findAnomaly({ policy, request, facts, comparable }: CheckInput): ReasonDetail | undefined {
  const rule = policy.rules.risk?.anomaly;
  const history = facts.paidAmountsMinor;
  const first = history[0];
  if (rule === undefined || !comparable || first === undefined || history.length < rule.min_history) return undefined;
  const { amountMinor, currency } = request;

  // Relative to the first amount, so that equal payments have a deviation of exactly 0.
  const offsets = history.map((paid) => paid - first);
  const meanOffset = offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length;
  const variance = offsets.reduce((sum, offset) => sum + (offset - meanOffset) ** 2, 0) / offsets.length;
  const reach = meanOffset + rule.max_deviation * Math.sqrt(variance);
  if (amountMinor - first <= reach) return undefined;

  const limitMinor = Math.floor(first + reach);
  const mean = formatMoney(Math.round(first + meanOffset), currency);
  const detail = overLimit(amountMinor, limitMinor, currency, 'what is usual, at most');
  return { ...detail, message: `${detail.message} The agent's last payments average ${mean}.` };
}

/** Under `presence: never`, an amount that a person should confirm is refused instead. */
export const checkAnomaly: Check = (input) => {
  const { context, risk } = input.policy.rules;
  const refuses = risk?.anomaly?.action === 'deny' || context?.presence === 'never';
  return refuses ? findAnomaly(input) : undefined;
};
