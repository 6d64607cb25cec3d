/** A person at the first payment of an agent to a merchant. */
import { z } from 'zod';
import { demand } from '../direction.ts';
import { NOT_SET } from '../explain.ts';
import type { Rule } from '../rule.ts';
import { NO_MERCHANT } from '../values/domain.ts';

const schema = {
  context: {
    presence_new_merchant: z.boolean().optional().describe('Whether the first purchase at a merchant needs a person.'),
  },
};

export const newMerchant: Rule<typeof schema, never, 'new_merchant'> = {
  schema,
  members: {
    'context.presence_new_merchant': {
      label: 'A person at a new merchant',
      about: 'Whether a person approves the first payment of an agent to a merchant.',
      change: { label: 'a person at a new merchant', direction: demand },
      sentence: (is) => (is ? 'A person approves the first payment of an agent to a merchant.' : undefined),
      docs: {
        about: 'A person must approve the first payment of the agent to a merchant.',
        example: { context: { presence_new_merchant: true } },
        cases: [
          {
            name: 'the first time',
            request: { amount: 5, currency: 'USD', merchantDomain: 'shop.example' },
            expect: { allowed: true, hpRequired: true },
          },
          {
            name: 'the second',
            request: { amount: 5, currency: 'USD', merchantDomain: 'shop.example' },
            before: { newMerchant: false },
            expect: { allowed: true, hpRequired: false },
          },
        ],
      },
    },
  },
  presence: {
    cause: 'new_merchant',
    isSet: ({ rules }) => rules.context?.presence_new_merchant === true,
    asks({ policy, request: { merchantDomain }, facts }) {
      if (policy.rules.context?.presence_new_merchant !== true) return undefined;
      if (merchantDomain === undefined || !facts.newMerchant) return undefined;
      return `The agent never paid ${merchantDomain} before.`;
    },
    measure({ policy, request: { merchantDomain } }) {
      if (policy.rules.context?.presence_new_merchant !== true) return NOT_SET;
      if (merchantDomain === undefined) return NO_MERCHANT;
      return { asked: merchantDomain, sentence: `The agent paid ${merchantDomain} before.` };
    },
  },
  warnings({ context }) {
    const { presence = 'optional', presence_new_merchant: asksNew } = context ?? {};
    if (asksNew !== true || presence === 'optional') return [];
    const asked = presence === 'never' ? 'never asked' : 'asked at every purchase';
    const message = `It never applies: context.presence is ${presence}, so a person is ${asked}.`;
    return [{ path: 'context.presence_new_merchant', message }];
  },
};
