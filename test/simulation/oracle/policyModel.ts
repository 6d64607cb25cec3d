/**
 * What a policy's rules say of one purchase, written from docs/reference/policies.md: which codes refuse it for certain, and whether a person
 * must be there. Rules over time are in windowModel.ts (velocity) and limitModel.ts (limits), the same purchase twice in sameModel.ts.
 * What this model does not know (anomaly) it leaves open.
 */

import { z } from 'zod';
import categories from '../../../data/categories.json' with { type: 'json' };
import { localTime } from './localTime.ts';
import { thousandthsOf } from './thousandths.ts';

const VelocityRule = z.object({
  max_transactions: z.number().optional(),
  max_amount: z.number().optional(),
  time_window: z.string(),
  scope: z.enum(['agent', 'policy']).optional(),
});

const LimitRule = z.object({
  name: z.string(),
  max_transactions: z.number().optional(),
  max_amount: z.number().optional(),
  currency: z.string().optional(),
  window: z.string(),
  timezone: z.string().optional(),
  scope: z.enum(['agent', 'principal', 'policy']).optional(),
  merchant: z.string().optional(),
  category: z.string().optional(),
  action: z.enum(['deny', 'presence']).optional(),
});

const DuplicateRule = z.object({
  window: z.string(),
  action: z.enum(['deny', 'presence']),
  above: z.number().optional(),
  max: z.number().optional(),
});

/** How many people approve a purchase is judged by the law of presence; that one has to, here. */
const ApprovalStep = z.object({
  people: z.number(),
  above: z.number().optional(),
  roles: z.array(z.string()).optional(),
});

export const Rules = z.object({
  spend: z
    .object({
      amount_cap: z.number(),
      presence_cap: z.number(),
      currency: z.string(),
      categories: z.array(z.string()),
      categories_strict: z.boolean(),
    })
    .partial()
    .default({}),
  merchant: z
    .object({
      allow_list: z.array(z.string()),
      deny_list: z.array(z.string()),
      mcc_allow: z.array(z.string()),
      mcc_deny: z.array(z.string()),
    })
    .partial()
    .default({}),
  context: z
    .object({
      presence: z.enum(['optional', 'required', 'never']),
      presence_threshold: z.number(),
      presence_new_merchant: z.boolean(),
      approval: z.union([ApprovalStep, z.array(ApprovalStep)]).transform((steps) => [steps].flat()),
      time_windows: z.array(
        z.object({ days: z.array(z.string()).optional(), from: z.string(), to: z.string(), timezone: z.string() }),
      ),
      geo: z.object({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }),
    })
    .partial()
    .default({}),
  risk: z
    .object({
      velocity_limit: VelocityRule.optional(),
      limits: z.array(LimitRule).default([]),
      anomaly: z.unknown().optional(),
      duplicate: DuplicateRule.optional(),
    })
    .default({ limits: [] }),
});
export type Rules = z.output<typeof Rules>;

export interface Purchase {
  readonly thousandths: number;
  readonly currency: string;
  readonly merchant: string | undefined;
  readonly mcc: string | undefined;
  readonly country: string | undefined;
  /** Whether the agent has paid there before. */
  readonly isKnownMerchant: boolean;
}

export interface Verdict {
  readonly refusing: readonly string[];
  /** For certain. */
  readonly needsPerson: boolean;
}

/** @param at milliseconds since the epoch, by the clock that judged */
export function judgeByRules(rules: Rules, purchase: Purchase, at: number): Verdict {
  const { spend, merchant, context } = rules;
  const refusing: string[] = [];
  const isOther = spend.currency !== undefined && spend.currency !== purchase.currency;
  const person = personFor(rules, purchase, isOther);
  if (isOther) refusing.push('CURRENCY_NOT_ALLOWED');
  else if (isOverCap(rules, purchase)) refusing.push('AMOUNT_OVER_CAP');
  const { merchant: domain } = purchase;
  const { allow_list: allowed = [], deny_list: denied = [] } = merchant;
  if (domain !== undefined) {
    if (allowed.length > 0 && !allowed.some((entry) => matches(entry, domain, false)))
      refusing.push('MERCHANT_NOT_ALLOWED');
    if (denied.some((entry) => matches(entry, domain, true))) refusing.push('MERCHANT_DENIED');
  }
  if (isCategoryRefused(rules, purchase.mcc)) refusing.push('MCC_DENIED');
  const windows = context.time_windows ?? [];
  if (windows.length > 0 && !windows.some((window) => isWithin(window, at))) refusing.push('TIME_WINDOW_VIOLATED');
  const { allow = [], deny = [] } = context.geo ?? {};
  const { country } = purchase;
  const isAbroad = allow.length > 0 && (country === undefined || !allow.includes(country));
  if (isAbroad || (country !== undefined && deny.includes(country))) refusing.push('GEO_RESTRICTED');
  // Above the cap a person could not help.
  return { refusing, needsPerson: person && !refusing.includes('AMOUNT_OVER_CAP') };
}

function isOverCap({ spend, context }: Rules, { thousandths }: Purchase): boolean {
  const cap = thousandthsOf(spend.presence_cap ?? spend.amount_cap);
  if (cap !== undefined && thousandths > cap) return true;
  return context.presence === 'never' && isAboveAlone({ spend, context }, thousandths);
}

/** Whether the amount is more than the agent may spend without a person. */
function isAboveAlone({ spend, context }: Pick<Rules, 'spend' | 'context'>, thousandths: number): boolean {
  const steps = (context.approval ?? []).map(({ above = 0 }) => above);
  const most = [spend.amount_cap, context.presence_threshold, ...steps].map(thousandthsOf);
  const alone = most.filter((each) => each !== undefined);
  return alone.some((each) => thousandths > each);
}

function personFor({ spend, context }: Rules, purchase: Purchase, isOther: boolean): boolean {
  if (context.presence === 'required') return true;
  if (context.presence === 'never') return false;
  if (context.presence_new_merchant === true && purchase.merchant !== undefined && !purchase.isKnownMerchant)
    return true;
  return !isOther && isAboveAlone({ spend, context }, purchase.thousandths);
}

function matches(entry: string, domain: string, withSubdomains: boolean): boolean {
  if (entry.startsWith('*.')) return domain.endsWith(entry.slice(1));
  return domain === entry || (withSubdomains && domain.endsWith(`.${entry}`));
}

function isCategoryRefused({ spend, merchant }: Rules, mcc: string | undefined): boolean {
  const listed = spend.categories ?? [];
  const { mcc_allow: allowed = [], mcc_deny: denied = [] } = merchant;
  if (mcc === undefined) return spend.categories_strict === true && listed.length > 0;
  if (denied.includes(mcc) || (allowed.length > 0 && !allowed.includes(mcc))) return true;
  if (listed.length === 0) return false;
  return !Object.entries(categories).some(
    ([name, codes]) => listed.includes(name) && (codes as string[]).includes(mcc),
  );
}

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Local time in a zone; a window whose end is before its start runs past midnight and belongs to the day on which it began. */
function isWithin(
  window: {
    readonly days?: readonly string[] | undefined;
    readonly from: string;
    readonly to: string;
    readonly timezone: string;
  },
  at: number,
): boolean {
  const { day, time } = localTime(window.timezone, at);
  const days = window.days ?? DAYS;
  const before = DAYS[(DAYS.indexOf(day) + 6) % 7] as string;
  if (window.from <= window.to) return days.includes(day) && time >= window.from && time < window.to;
  return (days.includes(day) && time >= window.from) || (days.includes(before) && time < window.to);
}
