/** What the limits of agents allow, and what of it is used at a time: schemas. */
import { z } from 'zod';
import { AgentStatus, AgentSummary } from './agent.ts';
import { Did } from './credential/did.ts';
import { fromMinor } from './money.ts';
import { type LimitFigures, LimitState } from './policy/limitUse.ts';
import { describeDuration } from './policy/values/duration.ts';
import { LIMIT_ACTIONS, narrowingText, SCOPES } from './policy/values/spendingLimit.ts';
import { compact } from './wire/compact.ts';
import { PageRequest } from './wire/page.ts';
import { isoTime } from './wire/time.ts';

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

const AgentLimitUse = z.object({
  name: z.string().describe('velocity_limit: the one of risk.velocity_limit, or the agent’s own in place of it.'),
  scope: z
    .enum(SCOPES)
    .describe('Whose purchases count together: the agent’s, those with the same money (principal), or all.'),
  own: z
    .boolean()
    .describe('Whether it is the agent’s own limit, which holds in place of the policy’s for each agent.'),
  window: z.string().describe('How far back it counts, in words: `1 day`, `this month`.'),
  windowSeconds: z.int().describe('How long the window is, or the present period.'),
  merchant: z.string().optional().describe('Purchases there alone count.'),
  category: z.string().optional().describe('Purchases of it alone count.'),
  action: z.enum(LIMIT_ACTIONS).describe('What becomes of a purchase over it.'),
  purchases: z.int().nonnegative().describe('How many purchases it counts now.'),
  maxTransactions: z.int().optional().describe('How many it allows; absent where it limits their sum only.'),
  spent: z
    .number()
    .describe('What those purchases reserve in `currency`; where none is named, in the one in which most was spent.'),
  maxAmount: z.number().optional().describe('The sum that it allows; absent where it limits their number only.'),
  currency: z
    .string()
    .optional()
    .describe(
      'Of the limit, or of the policy; where neither names one, that of `spent`. Absent where nothing was bought.',
    ),
  sums: z
    .array(z.object({ currency: z.string(), spent: z.number() }))
    .optional()
    .describe('Where neither limit nor policy names a currency, what was spent in each: the maximum holds for each.'),
  resetsAt: z.string().optional().describe('When the present period of the calendar ends.'),
});
export type AgentLimitUse = z.infer<typeof AgentLimitUse>;

export const AgentLimits = AgentSummary.extend({
  lastSeenAt: z.string().optional().describe('When it last did anything that the evidence has; absent for never.'),
  limits: z
    .array(AgentLimitUse)
    .describe('Its limits in time, with what they count now; none where nothing limits it so.'),
});
export type AgentLimits = z.infer<typeof AgentLimits>;

export const AskLimits = z.object({
  agentDid: Did.optional().describe('The limits that hold for this agent.'),
  principalDid: Did.optional().describe('Whose money the agent would spend; alone, the limits of all of its agents.'),
});
export type AskLimits = z.output<typeof AskLimits>;

export const AskAgentLimits = z.object({ did: Did, principalDid: AskLimits.shape.principalDid });

export const LimitStates = z.object({
  at: z.string(),
  limits: z.array(LimitState).describe('Each maximum of each limit over time, with what is used of it now.'),
});
export type LimitStates = z.infer<typeof LimitStates>;

/** @param figures what the limit counts now @param now milliseconds since the epoch */
export function agentLimitUse({ limit, count, sums }: LimitFigures, now: number): AgentLimitUse {
  const { name, scope, window, narrowing, action, maxTransactions, maxAmount } = limit;
  const endsAt = window.endsAt(now);
  const lengthMs = (endsAt ?? now + 1) - window.beginsAt(now);
  const told = sums.map(({ currency, amountMinor }) => ({ currency, spent: fromMinor(amountMinor, currency) }));
  // The maximum is the same number in each of them.
  const [most] = told.toSorted((one, other) => other.spent - one.spent);
  return compact({
    name,
    scope,
    own: limit.isOwn === true,
    window: endsAt === undefined ? describeDuration(lengthMs) : window.phrase,
    windowSeconds: Math.floor(lengthMs / 1000),
    ...narrowingText(narrowing),
    action,
    purchases: count,
    maxTransactions,
    spent: most?.spent ?? 0,
    maxAmount,
    currency: most?.currency,
    sums: told.length > 1 ? told : undefined,
    resetsAt: endsAt === undefined ? undefined : isoTime(endsAt),
  });
}
