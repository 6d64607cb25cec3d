/**
 * Where a policy contradicts itself: a rule that can never apply beside another one. Such rules are taken as they are, since what
 * they allow is well defined; their owner, who most likely meant something else, is told.
 */
import { z } from 'zod';
import { RULES } from './ruleList.ts';
import { valueAt, WORDED } from './ruleMembers.ts';
import type { Rules } from './rules.ts';

export const Warning = z.object({
  path: z.string().describe('The rule, such as context.presence_threshold.'),
  message: z.string().describe('One sentence.'),
});
export type Warning = z.infer<typeof Warning>;

/** @returns one entry for each rule that can never apply, that another one takes the meaning from, or that allows more than it seems to */
export function warningsOf(rules: Rules): Warning[] {
  return [...emptyLists(rules), ...RULES.flatMap((rule) => rule.warnings?.(rules) ?? [])];
}

/** A list of all that is allowed allows everything while it is empty. */
function emptyLists(rules: Rules): Warning[] {
  return WORDED.flatMap(({ path, change }) => {
    const value = change?.everything === undefined ? undefined : valueAt(rules, path);
    if (!Array.isArray(value) || value.length > 0) return [];
    return [{ path, message: `${path} is empty, which excludes nothing: ${change?.everything} is allowed.` }];
  });
}
