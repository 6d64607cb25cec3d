/** The one currency that may be spent. */
import { Currency } from '../../money.ts';
import { NOT_SET } from '../explain.ts';
import type { Rule } from '../rule.ts';

const schema = { spend: { currency: Currency.optional() } };

export const currency: Rule<typeof schema, 'CURRENCY_NOT_ALLOWED'> = {
  schema,
  members: {
    'spend.currency': {
      label: 'Currency',
      about: 'Only this one may be spent (ISO 4217). Without it, each may be.',
      change: {
        label: 'currency',
        // With one, limits over time no longer count what is spent in others; without one, or with another, others are allowed.
        direction: ({ former, next }) => (former === next ? undefined : 'looser'),
      },
      sentence: (only) => `Only ${only} may be spent.`,
      docs: {
        about:
          "The one currency that may be spent (ISO 4217). Without it every currency may, and amounts are of the request's currency.",
        example: { spend: { currency: 'EUR' } },
        cases: [
          { name: 'euros', request: { amount: 5, currency: 'EUR' }, expect: { allowed: true } },
          {
            name: 'dollars',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['CURRENCY_NOT_ALLOWED'] },
          },
        ],
      },
    },
  },
  checks: [
    {
      code: 'CURRENCY_NOT_ALLOWED',
      isSet: ({ rules }) => rules.spend?.currency !== undefined,
      check: ({ policy, request, comparable }) =>
        comparable
          ? undefined
          : { message: `The policy allows ${policy.rules.spend?.currency}, not ${request.currency}.` },
      measure: ({ policy, request }) =>
        policy.rules.spend?.currency === undefined
          ? NOT_SET
          : { asked: request.currency, sentence: `${request.currency} is the policy's currency.` },
      helps: [],
      docs: {
        cause: "the request is in another currency than the policy's `spend.currency`.",
        remedy: 'ask in that currency; nothing is converted.',
      },
    },
  ],
};
