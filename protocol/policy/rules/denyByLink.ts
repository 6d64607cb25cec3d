/** Whether the link to an approval is enough to deny it, without a passkey. */
import { z } from 'zod';
import { neutral } from '../direction.ts';
import type { Rule } from '../rule.ts';

const schema = {
  context: {
    deny_by_link: z
      .boolean()
      .optional()
      .describe('Whether the link to an approval is enough to deny it, without a passkey.'),
  },
};

export const denyByLink: Rule<typeof schema> = {
  schema,
  members: {
    'context.deny_by_link': {
      label: 'Deny by link',
      about: 'Whether the link to an approval is enough to deny it, without a passkey.',
      change: { label: 'denying by link', direction: neutral(false) },
      sentence: (is) => (is ? 'The link to an approval is enough to deny it, without a passkey.' : undefined),
      docs: {
        about:
          'Whether the link to an approval is enough to deny it, without a passkey. Where it is not, a denial takes a passkey too, since the agent, and every program that the link went through, has the link as well. A denial only ends the purchase; to approve always takes a passkey.',
        example: { context: { presence: 'required', deny_by_link: true } },
        cases: [
          {
            name: 'still the person',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: true, hpRequired: true },
          },
        ],
      },
    },
  },
};
