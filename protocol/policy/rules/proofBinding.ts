/** Whether a presence proof must name the cart. When absent: `cart` in production, `any` in the sandbox. */
import { z } from 'zod';
import { byNumber } from '../direction.ts';
import type { Rule } from '../rule.ts';

const SENTENCES = {
  cart: 'An approval is for one cart alone.',
  any: 'A recent proof that the person was there serves as an approval, too.',
  agent: 'A recent proof that the person was there serves as an approval, too.',
} as const;
type Binding = keyof typeof SENTENCES;

/** How much each asks of a presence proof. */
const STRENGTHS: Readonly<Record<Binding, number>> = { any: 0, agent: 0, cart: 2 };
/** Without the rule it depends on the environment. */
const BY_ENVIRONMENT = 1;
const strengthOf = (bound: Binding | undefined) => (bound === undefined ? BY_ENVIRONMENT : STRENGTHS[bound]);

const schema = {
  context: {
    // `agent` is what earlier policies call `any`.
    presence_binding: z.enum(['cart', 'any', 'agent']).optional().describe('What a presence proof must be bound to.'),
  },
};

export const proofBinding: Rule<typeof schema> = {
  schema,
  members: {
    'context.presence_binding': {
      label: 'What an approval is for',
      about: 'Cart: for that cart alone. Any: a recent proof that the person was there serves, too.',
      change: {
        label: 'what a presence proof must name',
        direction: ({ former, next }) => byNumber(strengthOf(next), strengthOf(former)),
      },
      sentence: (bound) => SENTENCES[bound],
      docs: {
        about:
          'Whether a presence proof must name the cart: `cart`, always; or `any`, which also accepts a recent proof that the person was present for the agent. The default is `cart` in production and `any` in the sandbox. It changes what a proof must contain, not when one is required.',
        example: { context: { presence: 'required', presence_binding: 'cart' } },
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
