/** Whether money may go to payees that no merchant's domain is bound to, where no merchant signs a cart. */
import { z } from 'zod';
import { byNumber } from '../direction.ts';
import type { Rule } from '../rule.ts';

const schema = {
  merchant: {
    allow_unbound_payees: z
      .boolean()
      .optional()
      .describe('Whether a payee may be paid that is bound to no domain, where a server asks for money by HTTP.'),
  },
};

/** Where it is absent, the node's environment says which of the two holds. */
function widthOf(may: boolean | undefined): number {
  return may === undefined ? 1 : 2 * Number(may);
}

export const unboundPayees: Rule<typeof schema> = {
  schema,
  members: {
    'merchant.allow_unbound_payees': {
      label: 'Unbound payees',
      about: 'Whether a payee may be paid that the registry of merchants binds to no domain.',
      change: {
        label: 'unbound payees',
        direction: ({ former, next }) => byNumber(widthOf(former), widthOf(next)),
      },
      sentence: (may) =>
        may
          ? 'Where a server asks for money by HTTP, a payee may be paid that is bound to no domain.'
          : 'Where a server asks for money by HTTP, only payees are paid that are bound to its domain.',
      docs: {
        about:
          'Where a server asks for money by HTTP (402), no merchant signs a cart: what stands for the merchant is the payee, a profile at the rail or an account on a chain. A payee that the registry binds to the domain is paid; one of another domain never is, and of a domain with payees no other one is. This rule says whether a payee may be paid at a domain that has none. When absent: in the sandbox it may, in production not.',
        example: { merchant: { allow_unbound_payees: false } },
        cases: [
          {
            name: 'an intent names no payee',
            request: { amount: 5, currency: 'USD', merchantDomain: 'shop.example' },
            expect: { allowed: true },
          },
        ],
      },
    },
  },
};
