/**
 * Where a policy contradicts itself: a rule that can never apply beside another one. Such rules are taken as they are, since what
 * they allow is well defined; whoever wrote them most likely meant something else.
 */
import { z } from 'zod';
import { patternsCover } from './checks/merchantLists.ts';
import type { Rules } from './rules.ts';

export const Warning = z.object({
  path: z.string().describe('The rule, such as context.presence_threshold.'),
  message: z.string().describe('One sentence.'),
});
export type Warning = z.infer<typeof Warning>;

/** As many names as a person reads. */
const MOST_NAMED = 5;

/** @returns one entry for each rule that can never apply, or that another one takes the meaning from */
export function warningsOf(rules: Rules): Warning[] {
  return [...spendWarnings(rules), ...merchantWarnings(rules), ...contextWarnings(rules), ...limitWarnings(rules)];
}

function spendWarnings({ spend, context }: Rules): Warning[] {
  const { amount_cap: cap, presence_cap: capWithPerson } = spend ?? {};
  if (context?.presence !== 'never' || capWithPerson === undefined || cap === undefined || capWithPerson <= cap)
    return [];
  const message = `It never applies: context.presence is never, so no purchase above amount_cap, ${cap}, passes.`;
  return [{ path: 'spend.presence_cap', message }];
}

function merchantWarnings({ merchant, context, rails }: Rules): Warning[] {
  const { allow_list = [], deny_list = [], mcc_allow = [], mcc_deny = [] } = merchant ?? {};
  return [
    bothWays('merchant.allow_list', allow_list, 'deny_list', patternsCover('deny')(deny_list)),
    bothWays('merchant.mcc_allow', mcc_allow, 'mcc_deny', isAmong(mcc_deny)),
    bothWays('context.geo.allow', context?.geo?.allow ?? [], 'deny', isAmong(context?.geo?.deny ?? [])),
    unusedRails(rails),
  ].flat();
}

function isAmong(list: readonly string[]): (entry: string) => boolean {
  const entries = new Set(list);
  return (entry) => entries.has(entry);
}

/** What is allowed and denied is denied. */
function bothWays(
  path: string,
  allowed: readonly string[],
  list: string,
  isDenied: (entry: string) => boolean,
): Warning[] {
  const names = allowed.filter(isDenied);
  if (names.length === 0) return [];
  const all = names.length === allowed.length ? ' Nothing that is allowed is left.' : '';
  return [{ path, message: `${named(names)} on ${list} too, which wins.${all}` }];
}

function unusedRails(rails: Rules['rails']): Warning[] {
  const { allow = [], priorities = [] } = rails ?? {};
  const isAllowed = isAmong(allow);
  const names = allow.length === 0 ? [] : priorities.filter((name) => !isAllowed(name));
  return names.length === 0 ? [] : [{ path: 'rails.priorities', message: `${named(names)} not in rails.allow.` }];
}

/** "a, b and 3 more are", for what comes after it. */
function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const told = names.slice(0, MOST_NAMED).join(', ');
  return `${told}${more > 0 ? ` and ${more} more` : ''} ${names.length === 1 ? 'is' : 'are'}`;
}

function contextWarnings({ spend, context }: Rules): Warning[] {
  const { presence = 'optional', presence_threshold: threshold, presence_new_merchant: asksNew } = context ?? {};
  const warnings: Warning[] = [];
  const most = spend?.presence_cap ?? spend?.amount_cap;
  if (threshold !== undefined && presence === 'required') {
    const message = 'It never applies: context.presence is required, so a person is asked at every purchase.';
    warnings.push({ path: 'context.presence_threshold', message });
  } else if (threshold !== undefined && most !== undefined && threshold >= most) {
    const cap = spend?.presence_cap === undefined ? 'amount_cap' : 'presence_cap';
    const message = `It never applies: no purchase above ${cap}, ${most}, passes, so a person above ${threshold} is never asked.`;
    warnings.push({ path: 'context.presence_threshold', message });
  }
  if (asksNew === true && presence !== 'optional') {
    const asked = presence === 'never' ? 'never asked' : 'asked at every purchase';
    const message = `It never applies: context.presence is ${presence}, so a person is ${asked}.`;
    warnings.push({ path: 'context.presence_new_merchant', message });
  }
  return warnings;
}

function limitWarnings({ spend, risk }: Rules): Warning[] {
  const { max_amount: most, max_transactions: count } = risk?.velocity_limit ?? {};
  const warnings: Warning[] = [];
  if (count === 0) {
    const message = 'It allows no purchase at all.';
    warnings.push({ path: 'risk.velocity_limit.max_transactions', message });
  }
  const cap = spend?.amount_cap;
  if (most !== undefined && cap !== undefined && most < cap) {
    const message = `It is less than amount_cap, ${cap}, so no single purchase above ${most} passes.`;
    warnings.push({ path: 'risk.velocity_limit.max_amount', message });
  }
  return warnings;
}
