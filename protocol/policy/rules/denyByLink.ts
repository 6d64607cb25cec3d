/** Whether the link to an approval is enough to deny it, without a passkey. */
import { z } from 'zod';
import { neutral } from '../direction.ts';
import type { Rule } from '../rule.ts';

const schema = {
  context: {
    deny_by_link: z
      .boolean()
      .optional()
      .describe('Whether whoever has the link to an approval may deny it without a passkey.'),
  },
};

export const denyByLink: Rule<typeof schema> = {
  schema,
  members: {
    'context.deny_by_link': {
      label: 'Deny by link',
      about: 'Whether whoever has the link of an approval may deny it without a passkey.',
      change: { label: 'denying by link', direction: neutral(false) },
      sentence: (is) =>
        is
          ? 'Whoever has the link of an approval may deny it without a passkey.'
          : 'Nobody denies an approval without a passkey.',
      docs: {
        about:
          'Whether whoever has the link to an approval may deny it without a passkey. Without it a denial takes a passkey too, since the agent, and every program that the link went through, has the link as well. A denial only ends the purchase; to approve always takes a passkey.',
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
