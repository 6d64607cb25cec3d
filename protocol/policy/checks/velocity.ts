/** Velocity: limits of the number and sum of purchases in sliding windows, the policy's and the agent's own. */
import { exponentOf, floorToMinor, formatMoney, fromMinor } from '../../money.ts';
import { compact } from '../../wire/compact.ts';
import type { Check, Measure, VelocityUse } from '../check.ts';
import type { CompiledPolicy } from '../compile.ts';
import { describeDuration, parseDurationMs } from '../duration.ts';
import { NOT_SET, otherCurrency, withinLimit } from '../explain.ts';
import type { Rules, VelocityLimit } from '../rules.ts';

export interface CompiledLimit {
  /** Whose purchases count together: one agent's, or those of all agents under the policy. */
  readonly scope: 'agent' | 'policy';
  readonly windowMs: number;
  readonly maxTransactions?: number;
  /** In major units; see spentIn for what counts towards it. */
  readonly maxAmount?: number;
}

export function compileLimit(rules: Rules['risk']): CompiledLimit | undefined {
  const limit = rules?.velocity_limit;
  if (limit === undefined) return undefined;
  return compact({
    scope: limit.scope ?? 'agent',
    windowMs: parseDurationMs(limit.time_window),
    maxTransactions: limit.max_transactions,
    maxAmount: limit.max_amount,
  });
}

/**
 * The limits of an agent. Its own limit replaces the policy's limit per agent, and applies together with one for all
 * agents.
 */
export function limitsFor(policy: CompiledPolicy, agentVelocity?: VelocityLimit): CompiledLimit[] {
  const limits = policy.limit === undefined ? [] : [policy.limit];
  if (agentVelocity === undefined) return limits;
  const { maxTransactions, maxAmount, timeWindow } = agentVelocity;
  const windowMs = parseDurationMs(timeWindow);
  const own: CompiledLimit = compact({ scope: 'agent' as const, windowMs, maxTransactions, maxAmount });
  return [...limits.filter(({ scope }) => scope === 'policy'), own];
}

/**
 * What was spent, in the minor units of one currency. Where a policy has no spend.currency, amounts count at face value over
 * all currencies together: a limit of 100 is 100 of whatever is spent, not 100 of each. Fractions are rounded up.
 * @param amounts by currency in minor units
 */
export function spentIn(rules: Rules, amounts: Readonly<Record<string, number>>, currency: string): number {
  const own = amounts[currency] ?? 0;
  if (rules.spend?.currency !== undefined) return own;
  let sum = BigInt(own);
  for (const [other, minor] of Object.entries(amounts)) {
    if (other !== currency) sum += atFaceValue(BigInt(minor), exponentOf(currency) - exponentOf(other));
  }
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(sum > most ? most : sum);
}

/** @param decimals how many more the currency has that is asked for */
function atFaceValue(minor: bigint, decimals: number): bigint {
  if (decimals >= 0) return minor * 10n ** BigInt(decimals);
  const divisor = 10n ** BigInt(-decimals);
  return (minor + divisor - 1n) / divisor;
}

function within({ limit }: Pick<VelocityUse, 'limit'>): string {
  return `within ${describeDuration(limit.windowMs)}${limit.scope === 'policy' ? ' for all agents together' : ''}`;
}

export const checkTransactions: Check = ({ facts }) => {
  for (const use of facts.velocity) {
    const limit = use.limit.maxTransactions;
    if (limit === undefined || use.count < limit) continue;
    const requested = use.count + 1;
    return { requested, limit, message: `This would be purchase ${requested} ${within(use)}; the limit is ${limit}.` };
  }
  return undefined;
};

export const checkSpending: Check = ({ facts, request: { amountMinor, currency }, comparable }) => {
  if (!comparable) return undefined;
  for (const use of facts.velocity) {
    if (use.limit.maxAmount === undefined) continue;
    const limitMinor = floorToMinor(use.limit.maxAmount, currency);
    // Subtracted instead of added, since the sum of two amounts may not be exact.
    if (amountMinor <= limitMinor - use.amountMinor) continue;
    const totalMinor = Math.min(use.amountMinor + amountMinor, Number.MAX_SAFE_INTEGER);
    return {
      requested: fromMinor(totalMinor, currency),
      limit: fromMinor(limitMinor, currency),
      currency,
      message:
        `${formatMoney(amountMinor, currency)} would make it ${formatMoney(totalMinor, currency)} ${within(use)}; ` +
        `the limit is ${formatMoney(limitMinor, currency)}.`,
    };
  }
  return undefined;
};

/** Of several limits the one that leaves the least. */
export const measureTransactions: Measure = ({ facts }) => {
  const [tightest] = facts.velocity
    .flatMap((use) => (use.limit.maxTransactions === undefined ? [] : [{ use, limit: use.limit.maxTransactions }]))
    .sort((one, other) => one.limit - one.use.count - (other.limit - other.use.count));
  if (tightest === undefined) return NOT_SET;
  const { use, limit } = tightest;
  const asked = use.count + 1;
  const left = limit - asked;
  return {
    asked,
    limit,
    left,
    sentence: `This is purchase ${asked} ${within(use)}; the limit of ${limit} leaves ${left}.`,
  };
};

/** As measureTransactions, of sums: what was spent with this purchase. */
export const measureSpending: Measure = (input) => {
  const { amountMinor, currency } = input.request;
  if (!input.comparable) return otherCurrency(input);
  const [tightest] = input.facts.velocity
    .flatMap(({ limit, amountMinor: spent }) => {
      if (limit.maxAmount === undefined) return [];
      return [{ limit, spent, limitMinor: floorToMinor(limit.maxAmount, currency) }];
    })
    .sort((one, other) => one.limitMinor - one.spent - (other.limitMinor - other.spent));
  if (tightest === undefined) return NOT_SET;
  const totalMinor = Math.min(tightest.spent + amountMinor, Number.MAX_SAFE_INTEGER);
  return withinLimit(totalMinor, tightest.limitMinor, currency, `the limit ${within(tightest)}, which is`);
};
