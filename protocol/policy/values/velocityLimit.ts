/** Limits of purchases in sliding windows, the policy's and the agent's own, and what was spent in the terms of a policy. */
import { z } from 'zod';
import { exponentOf } from '../../money.ts';
import { compact } from '../../wire/compact.ts';
import type { CompiledPolicy } from '../compile.ts';
import type { Rules } from '../rules.ts';
import { Duration, parseDurationMs } from './duration.ts';
import { Amount } from './ruleValues.ts';

/** An agent's own limit. At least one of the two maxima must be given. */
export const VelocityLimit = z
  .object({
    maxTransactions: z.int().nonnegative().optional(),
    maxAmount: Amount.optional(),
    timeWindow: Duration,
  })
  .refine(({ maxTransactions, maxAmount }) => maxTransactions !== undefined || maxAmount !== undefined, {
    message: 'maxTransactions, maxAmount or both must be given',
    path: ['maxTransactions'],
  });
export type VelocityLimit = z.infer<typeof VelocityLimit>;

export interface CompiledLimit {
  /** Whose purchases count together: one agent's, or those of all agents under the policy. */
  readonly scope: 'agent' | 'policy';
  readonly windowMs: number;
  readonly maxTransactions?: number;
  /** In major units; see spentIn for what counts towards it. */
  readonly maxAmount?: number;
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
 * all currencies together: a limit of 100 is 100 in all, not 100 of each currency. Fractions are rounded up.
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
