/** Anomalies: an amount far above what the agent has paid before. */
import { formatMoney } from '../../money.ts';
import type { ReasonDetail } from '../../reason.ts';
import type { Check, CheckInput, Figures, Measure, NotAsked } from '../check.ts';
import { NOT_SET, otherCurrency, overLimit, withinLimit } from '../explain.ts';

interface Usual {
  /** The first of the amounts paid, which the others are relative to: equal payments have a deviation of exactly 0. */
  readonly first: number;
  readonly meanOffset: number;
  /** How far above the first an amount may be. */
  readonly reach: number;
}

/**
 * What is usual by the mean and the population standard deviation of earlier payments. When those were all equal, any higher
 * amount is an anomaly.
 * @returns undefined when the history is too short
 */
function findUsual({ policy, facts }: CheckInput): Usual | undefined {
  const rule = policy.rules.risk?.anomaly;
  const history = facts.paidAmountsMinor;
  const first = history[0];
  if (rule === undefined || first === undefined || history.length < rule.min_history) return undefined;
  const offsets = history.map((paid) => paid - first);
  const meanOffset = offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length;
  const variance = offsets.reduce((sum, offset) => sum + (offset - meanOffset) ** 2, 0) / offsets.length;
  return { first, meanOffset, reach: meanOffset + rule.max_deviation * Math.sqrt(variance) };
}

const WHAT = 'what is usual, at most';

/** @returns the anomaly, or undefined when there is none, the history is too short, or the rule is not set */
export function findAnomaly(input: CheckInput): ReasonDetail | undefined {
  if (!input.comparable) return undefined;
  const usual = findUsual(input);
  const { amountMinor, currency } = input.request;
  if (usual === undefined || amountMinor - usual.first <= usual.reach) return undefined;
  const mean = formatMoney(Math.round(usual.first + usual.meanOffset), currency);
  const detail = overLimit(amountMinor, Math.floor(usual.first + usual.reach), currency, WHAT);
  return { ...detail, message: `${detail.message} The agent's last payments average ${mean}.` };
}

/** What findAnomaly compares. */
export function measureUsual(input: CheckInput): Figures | NotAsked {
  const { amountMinor, currency } = input.request;
  if (!input.comparable) return otherCurrency(input);
  const usual = findUsual(input);
  if (usual === undefined) return { notAsked: 'The agent has paid too few times for anything to be usual.' };
  return withinLimit(
    amountMinor,
    Math.min(Math.floor(usual.first + usual.reach), Number.MAX_SAFE_INTEGER),
    currency,
    WHAT,
  );
}

function refusesAnomalies({ policy: { rules } }: CheckInput): boolean {
  return rules.risk?.anomaly?.action === 'deny' || rules.context?.presence === 'never';
}

/** Under `presence: never`, an amount that a person should confirm is refused instead. */
export const checkAnomaly: Check = (input) => (refusesAnomalies(input) ? findAnomaly(input) : undefined);

export const measureAnomaly: Measure = (input) =>
  input.policy.rules.risk?.anomaly === undefined || !refusesAnomalies(input) ? NOT_SET : measureUsual(input);
