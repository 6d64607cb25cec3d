/** Whether a chain of mandates must have a nonce that the node gave. When absent: yes in production, no in the sandbox. */
import { z } from 'zod';
import { byNumber } from '../direction.ts';
import type { Rule } from '../rule.ts';

const schema = {
  mandates: {
    require_nonce: z
      .boolean()
      .optional()
      .describe('Whether the last mandate of a chain must have a nonce that the node gave to its agent.'),
  },
};

/** Without the rule it depends on the environment. */
const strengthOf = (required: boolean | undefined) => (required === undefined ? 1 : required ? 2 : 0);

export const mandateNonce: Rule<typeof schema> = {
  schema,
  members: {
    'mandates.require_nonce': {
      label: 'A nonce of the node',
      about: 'Whether the last mandate of a chain must have a nonce that the node gave to its agent.',
      change: {
        label: 'the nonce of mandates',
        direction: ({ former, next }) => byNumber(strengthOf(next), strengthOf(former)),
      },
      sentence: (required) =>
        required
          ? 'A chain of mandates must have a nonce that this node gave to its agent.'
          : 'A chain of mandates may have a nonce of the agent’s own.',
      docs: {
        about:
          'Whether the last mandate of a chain must have a nonce that the node gave to its agent (`POST /ap2/mandate-challenges`). The default is `true` in production and `false` in the sandbox. Else a chain that others have seen can be brought before its agent brings it.',
        example: { mandates: { require_nonce: true } },
        cases: [
          {
            name: 'of no other purchase',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: true, hpRequired: false },
          },
        ],
      },
    },
  },
};
