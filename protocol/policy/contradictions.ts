/**
 * Where a policy contradicts itself: a rule that can never apply beside another one. Such rules are taken as they are, since what
 * they allow is well defined; their owner, who most likely meant something else, is told.
 */
import { z } from 'zod';
import { RULES } from './ruleList.ts';
import type { Rules } from './rules.ts';

export const Warning = z.object({
  path: z.string().describe('The rule, such as context.presence_threshold.'),
  message: z.string().describe('One sentence.'),
});
export type Warning = z.infer<typeof Warning>;

/** @returns one entry for each rule that can never apply, or that another one takes the meaning from */
export function warningsOf(rules: Rules): Warning[] {
  return RULES.flatMap((rule) => rule.warnings?.(rules) ?? []);
}
