/** Delegations: an open payment mandate that is registered once for an agent, whose intents may then name it. What is asked and answered. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { IdempotencyKey, RefusalResult } from '../intent.ts';
import { fromMinor } from '../money.ts';
import { AmountRange, FREQUENCIES } from '../sdjwt/paymentConstraints.ts';
import { CHAIN_BOUNDS, isObject } from '../sdjwt/sdJwt.ts';
import { compact } from '../wire/compact.ts';
import { PageRequest } from '../wire/page.ts';
import { type DelegatedMandate, payeesOf } from './delegatedPurchase.ts';
import type { MandateUse } from './mandateUse.ts';

export const RegisterDelegation = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(CHAIN_BOUNDS.characters)
    .describe('The open payment mandate: an SD-JWT with its disclosures, and further open ones joined by `~~`.'),
  agentDid: Did,
  principalDid: Did.optional().describe(
    'Whose money it is; when absent, whose credential signed the mandate, or else the agent’s own.',
  ),
  idempotencyKey: IdempotencyKey.optional(),
});
export type RegisterDelegation = z.infer<typeof RegisterDelegation>;

const DelegationStatus = z
  .enum(['ACTIVE', 'USED', 'EXHAUSTED', 'EXPIRED', 'REVOKED'])
  .describe(
    'USED: it allows one purchase, which was made. EXHAUSTED: its budget or its number of purchases is spent. Both are ACTIVE again where nothing is paid.',
  );
type DelegationStatus = z.infer<typeof DelegationStatus>;

const Limits = z.object({
  maxAmount: z.number().optional().describe('The most of one purchase.'),
  currency: z.string().optional(),
  merchants: z.array(z.string()).optional().describe('The domains of the disclosed payees; any merchant when absent.'),
  budget: z.number().optional().describe('The most of all purchases together.'),
  expiresAt: z.string().optional(),
  recurrence: z
    .object({
      frequency: z.enum(FREQUENCIES),
      reading: z
        .literal('calendar-utc')
        .describe('One purchase in each day, ISO week, fortnight, month, quarter or year of the calendar, in UTC.'),
      maxOccurrences: z.int().optional(),
    })
    .optional()
    .describe('How often it may be used; once when absent.'),
});
type Limits = z.infer<typeof Limits>;

export const Delegation = z.object({
  id: z.string().describe('The delegation, `dlg_…`.'),
  agentDid: z.string(),
  principalDid: z.string(),
  limits: Limits.describe('What all of its mandates allow together.'),
  openHash: z.string().describe('The `sd_hash` of the last open mandate as it was registered.'),
  status: DelegationStatus,
  used: z
    .object({
      uses: z.int().describe('Purchases, those that are only permitted yet, too.'),
      spent: z.number().optional().describe('What they come to; absent where the mandate names no currency.'),
    })
    .describe('What the mandate was used for, by intents and by chains that close it.'),
  delegated: z
    .boolean()
    .describe(
      'Whether the agent may spend this money. While a registered person or company has not allowed it to, nothing passes by the mandate (AGENT_NOT_DELEGATED).',
    ),
  createdAt: z.string(),
});
export type Delegation = z.infer<typeof Delegation>;

export const DelegationResult = z.union([Delegation, RefusalResult.omit({ limits: true, verdict: true })]);
export type DelegationResult = z.infer<typeof DelegationResult>;

export const PreviewDelegation = RegisterDelegation.omit({ idempotencyKey: true });
export type PreviewDelegation = z.infer<typeof PreviewDelegation>;

export const DelegationPreview = z.union([
  Delegation.pick({ agentDid: true, principalDid: true, limits: true, openHash: true, delegated: true }),
  RefusalResult.omit({ limits: true, verdict: true }),
]);
export type DelegationPreview = z.infer<typeof DelegationPreview>;

export const ListDelegations = PageRequest.extend({ agentDid: Did.optional() });

/** What each open mandate was used for, in the order of the chain. */
export interface DelegationUse extends MandateUse {
  readonly isRevoked: boolean;
}

/**
 * @param endsAt when the first mandate ends, in milliseconds since the epoch
 * @param now milliseconds since the epoch
 */
export function delegationStatusAt(
  { limits }: Pick<DelegatedMandate, 'limits'>,
  uses: readonly DelegationUse[],
  endsAt: number | null,
  now: number,
): DelegationStatus {
  if (uses.some(({ isRevoked }) => isRevoked)) return 'REVOKED';
  if (endsAt !== null && endsAt <= now) return 'EXPIRED';
  const used = limits.map((limit, at) => ({ limit, use: uses[at] ?? NO_USE }));
  if (used.some(({ limit, use }) => limit.isSingleUse && use.uses > 0)) return 'USED';
  const isSpent = used.some(
    ({ limit: { budget, recurrence }, use }) =>
      (budget !== undefined && use.spentMinor >= budget.maxMinor) ||
      (recurrence?.maxOccurrences !== undefined && use.uses >= recurrence.maxOccurrences),
  );
  return isSpent ? 'EXHAUSTED' : 'ACTIVE';
}

export const NO_USE: DelegationUse = { uses: 0, spentMinor: 0, lastUseAt: undefined, isRevoked: false };

/** What every open mandate of a delegation allows: the least of each. */
export function delegationLimits({ open, limits }: DelegatedMandate, expiresAt: string | undefined): Limits {
  const ranges = open
    .flatMap(({ constraints }) => constraints.filter(isObject))
    .filter(({ type }) => type === 'payment.amount_range')
    .map((constraint) => AmountRange.parse(constraint));
  const budgets = limits.flatMap(({ budget }) => budget ?? []);
  const currency = ranges[0]?.currency ?? budgets[0]?.currency;
  const least = (minors: readonly number[]) =>
    currency === undefined || minors.length === 0 ? undefined : fromMinor(Math.min(...minors), currency);
  return compact({
    maxAmount: least(ranges.map(({ max }) => max)),
    currency,
    merchants: payeesOf(open),
    budget: least(budgets.map(({ maxMinor }) => maxMinor)),
    expiresAt,
    recurrence: rarest(limits),
  });
}

function rarest(limits: DelegatedMandate['limits']): Limits['recurrence'] {
  const all = limits.flatMap(({ recurrence }) => recurrence ?? []);
  if (all.length < limits.length) return undefined;
  const ranks = all.map(({ frequency }) => (FREQUENCIES as readonly string[]).indexOf(frequency));
  const most = all.flatMap(({ maxOccurrences }) => maxOccurrences ?? []);
  return compact({
    frequency: FREQUENCIES[Math.max(...ranks)] ?? 'ON_DEMAND',
    reading: 'calendar-utc' as const,
    maxOccurrences: most.length === 0 ? undefined : Math.min(...most),
  });
}
