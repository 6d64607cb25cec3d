/** What is unusual: an amount far above what the agent paid before. */
import { formatMoney } from '../../money.ts';
import type { ReasonDetail } from '../../reason.ts';
import type { Check, CheckInput } from '../check.ts';
import { overLimit } from '../explain.ts';

/**
 * Judges the amount by the mean and the population deviation of the payments before. When those were all alike, any
 * higher amount stands out.
 * @returns what stands out, or undefined when nothing does, the history is too short, or there is no such rule
 */
export function findAnomaly({ policy, request, facts, comparable }: CheckInput): ReasonDetail | undefined {
  const rule = policy.rules.risk?.anomaly;
  const history = facts.paidAmountsMinor;
  const first = history[0];
  if (rule === undefined || !comparable || first === undefined || history.length < rule.min_history) return undefined;
  const { amountMinor, currency } = request;

  // Measured from the first amount, so that payments all alike have a deviation of exactly 0.
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

/** Where no person may be asked (`presence: never`), an amount that a person should confirm is refused instead. */
export const checkAnomaly: Check = (input) => {
  const { context, risk } = input.policy.rules;
  const refuses = risk?.anomaly?.action === 'deny' || context?.presence === 'never';
  return refuses ? findAnomaly(input) : undefined;
};
