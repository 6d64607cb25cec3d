/** What the limits of agents allow, and what of it is used at a time: schemas. */
import { z } from 'zod';
import { AgentStatus, AgentSummary } from './agent.ts';
import { Did } from './credential/did.ts';
import { exponentOf, fromMinor } from './money.ts';
import type { Rules } from './policy/rules.ts';
import { describeDuration } from './policy/values/duration.ts';
import { type CompiledLimit, spentIn } from './policy/values/velocityLimit.ts';
import { compact } from './wire/compact.ts';
import { PageRequest } from './wire/page.ts';

/** A list in a query: the parameter repeated, or its values separated by commas. */
const DidList = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().flatMap((text) => text.split(',')))
  .pipe(z.array(Did).max(50));

export const ListLimits = PageRequest.extend({
  status: AgentStatus.optional(),
  agents: DidList.optional().describe('Only these agents, at most 50: their DIDs, separated by commas.'),
});
export type ListLimits = z.output<typeof ListLimits>;

const LimitUse = z.object({
  scope: z.enum(['agent', 'policy']).describe('policy: the purchases of all agents count together.'),
  own: z
    .boolean()
    .describe('Whether it is the agent’s own limit, which holds in place of the policy’s for each agent.'),
  window: z.string().describe('How far back it counts, in words: `1 day`.'),
  windowSeconds: z.int(),
  purchases: z.int().nonnegative().describe('How many purchases it counts now.'),
  maxTransactions: z.int().optional().describe('How many it allows; absent where it limits their sum only.'),
  spent: z
    .number()
    .describe('What those purchases reserve; over all currencies at face value where the policy names none.'),
  maxAmount: z.number().optional().describe('The sum that it allows; absent where it limits their number only.'),
  currency: z.string().optional().describe('The policy’s currency, where it has one.'),
});
export type LimitUse = z.infer<typeof LimitUse>;

export const AgentLimits = AgentSummary.extend({
  lastSeenAt: z.string().optional().describe('When it last did anything that the evidence has; absent for never.'),
  limits: z.array(LimitUse).describe('Its limits in time, with what they count now; none where nothing limits it so.'),
});
export type AgentLimits = z.infer<typeof AgentLimits>;

/**
 * @param isOwn whether the agent has a limit of its own
 * @param use what the window of the limit holds, amounts in minor units
 */
export function limitUseOf(
  rules: Rules,
  { scope, windowMs, maxTransactions, maxAmount }: CompiledLimit,
  isOwn: boolean,
  use: { readonly transactions: number; readonly amounts: Readonly<Record<string, number>> },
): LimitUse {
  const currency = rules.spend?.currency;
  // Without a currency of the policy amounts count at face value: told by the one of most decimals, no fraction is lost.
  const byDecimals = Object.keys(use.amounts).sort((one, other) => exponentOf(other) - exponentOf(one));
  const counted = currency ?? byDecimals[0];
  return compact({
    scope,
    own: isOwn && scope === 'agent',
    window: describeDuration(windowMs),
    windowSeconds: windowMs / 1000,
    purchases: use.transactions,
    maxTransactions,
    spent: counted === undefined ? 0 : fromMinor(spentIn(rules, use.amounts, counted), counted),
    maxAmount,
    currency,
  });
}
