/** Whether a person is asked at all: at every purchase, where other rules say so, or never. */
import { z } from 'zod';
import { NOT_SET } from '../explain.ts';
import type { Rule } from '../rule.ts';

const SENTENCES = {
  // The other rules say when.
  optional: undefined,
  required: 'A person approves every purchase.',
  never: 'No person is asked; a purchase that would need one is refused.',
} as const;

const schema = {
  context: {
    presence: z
      .enum(['optional', 'required', 'never'])
      .optional()
      .describe('optional: by the rules below. required: always. never: what needs a person is denied.'),
  },
};

export const presenceMode: Rule<typeof schema, never, 'manual'> = {
  schema,
  members: {
    'context.presence': {
      label: 'A person',
      about: 'Optional: where another rule asks. Required: at every purchase. Never: what would need one is refused.',
      change: {
        label: 'presence',
        direction({ former = 'optional', next = 'optional', formerly }) {
          if (former === next) return undefined;
          if (former !== 'optional') return 'looser';
          // Where a person is never asked, an amount that would need one is refused, and a new merchant is not.
          return next === 'never' && formerly.context?.presence_new_merchant === true ? 'looser' : 'tighter';
        },
      },
      sentence: (when) => SENTENCES[when],
      docs: {
        about:
          '`optional`: the other rules say when a person must approve. `required`: a person approves every purchase. `never`: no person is asked, and a purchase that would need one is refused, unless the merchant is new and nothing else is the reason. Where the agent (`shopping.confirmCart`) or a merchant of AP2 wants a person to confirm the cart, one is asked under each of the three.',
        example: { context: { presence: 'required' } },
        cases: [
          {
            name: 'however small',
            request: { amount: 0.5, currency: 'USD' },
            expect: { allowed: true, hpRequired: true },
          },
        ],
      },
    },
  },
  presence: {
    cause: 'manual',
    name: 'A person at every purchase',
    isSet: ({ rules }) => rules.context?.presence === 'required',
    asks: ({ policy }) =>
      policy.rules.context?.presence === 'required' ? 'The policy asks for a person at every purchase.' : undefined,
    measure: () => NOT_SET,
  },
};
