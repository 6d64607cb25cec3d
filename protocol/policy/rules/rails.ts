/** Which payment rails a purchase may take, best first. */
import { z } from 'zod';
import type { CompiledPolicy } from '../compile.ts';
import { allowed, neutral } from '../direction.ts';
import { areNamed, isAmong, namesText } from '../explain.ts';
import type { Rule } from '../rule.ts';
import { listOf } from '../values/ruleValues.ts';

/** What is paid elsewhere: a policy from before there was such a rail does not admit it. */
const WATCHED = 'EXTERNAL_RAIL';

/**
 * @param configured the rails this node has, in its own order
 * @returns the configured rails that the policy allows: first those with priority, then the others
 */
export function candidateRails(policy: CompiledPolicy, configured: readonly string[]): string[] {
  const { allow = [], priorities = [] } = policy.rules.rails ?? {};
  const usable = configured.filter((rail) => (allow.length === 0 ? rail !== WATCHED : allow.includes(rail)));
  return [...new Set([...priorities.filter((rail) => usable.includes(rail)), ...usable])];
}

const Rail = z.string().min(1).max(100);

const schema = {
  rails: {
    allow: listOf(Rail)
      .optional()
      .describe('Those that are allowed; when absent or empty all, but for EXTERNAL_RAIL, which must be named.'),
    priorities: listOf(Rail).optional().describe('The order in which they are tried.'),
  },
};

export const rails: Rule<typeof schema> = {
  schema,
  members: {
    'rails.allow': {
      label: 'Rails that are allowed',
      about: 'Only these, one in each line.',
      change: { label: 'rails allowed', everything: 'any rail', direction: allowed() },
      sentence: (list, { rail }) => namesText(list.map(rail), (names) => `Only these rails are used: ${names}.`),
      docs: {
        about:
          'The payment rails that may be used; the cart is refused with `RAIL_UNAVAILABLE` where the node has none of them.',
        example: { rails: { allow: ['CARD_RAIL'] } },
        cases: [
          {
            name: 'the rail does not affect the intent',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: true },
          },
        ],
      },
    },
    'rails.priorities': {
      label: 'Order of rails',
      about: 'They are tried in this order; one in each line.',
      change: { label: 'order of rails', direction: neutral<readonly string[]>([]) },
      sentence: (list, { rail }) => namesText(list.map(rail), (names) => `Rails are tried in this order: ${names}.`),
      docs: {
        about: 'Which of the allowed rails is used first.',
        example: { rails: { allow: ['CARD_RAIL', 'BANK_RAIL'], priorities: ['BANK_RAIL'] } },
        cases: [
          {
            name: 'the rail does not affect the intent',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: true },
          },
        ],
      },
    },
  },
  warnings({ rails }) {
    const { allow = [], priorities = [] } = rails ?? {};
    const isAllowed = isAmong(allow);
    const names = allow.length === 0 ? [] : priorities.filter((name) => !isAllowed(name));
    return names.length === 0 ? [] : [{ path: 'rails.priorities', message: `${areNamed(names)} not in rails.allow.` }];
  },
};
