/** The amount above which a person must approve a purchase. */
import { z } from 'zod';
import { limit } from '../direction.ts';
import { NOT_SET, otherCurrency, overLimit, withinLimit } from '../explain.ts';
import type { Remark, Rule } from '../rule.ts';

const ALONE = 'what the agent may spend alone, which is';
const PATH = 'context.presence_threshold';

const schema = {
  context: {
    presence_threshold: z.number().nonnegative().optional().describe('An amount above it needs a person.'),
  },
};

export const presenceThreshold: Rule<typeof schema, never, 'threshold'> = {
  schema,
  members: {
    'context.presence_threshold': {
      label: 'A person above an amount',
      about: 'A person approves what costs more; with 0, every purchase.',
      isAmount: true,
      change: { label: 'amount without a person', direction: limit },
      sentence: (above, { money }) =>
        above === 0 ? 'A person approves every purchase.' : `A person approves what costs more than ${money(above)}.`,
      docs: {
        about:
          'Above this amount a person must approve; with 0, every purchase. The lower of this and `amount_cap` applies.',
        example: { spend: { amount_cap: 100, currency: 'USD' }, context: { presence_threshold: 30 } },
        cases: [
          {
            name: 'at the threshold',
            request: { amount: 30, currency: 'USD' },
            expect: { allowed: true, hpRequired: false },
          },
          {
            name: 'above it',
            request: { amount: 31, currency: 'USD' },
            expect: { allowed: true, hpRequired: true },
          },
        ],
      },
    },
  },
  presence: {
    cause: 'threshold',
    asks({ policy, request: { amountMinor, currency }, comparable }) {
      if (!comparable) return undefined;
      const { aloneMinor } = policy.amountsIn(currency);
      if (amountMinor <= aloneMinor) return undefined;
      return overLimit(amountMinor, aloneMinor, currency, ALONE).message;
    },
    measure(input) {
      if (!input.comparable) return otherCurrency(input);
      const { amountMinor, currency } = input.request;
      const { aloneMinor } = input.policy.amountsIn(currency);
      return aloneMinor === Number.POSITIVE_INFINITY ? NOT_SET : withinLimit(amountMinor, aloneMinor, currency, ALONE);
    },
  },
  warnings({ spend, context }): readonly Remark[] {
    const { presence, presence_threshold: threshold } = context ?? {};
    if (threshold === undefined) return [];
    if (presence === 'required') {
      const message = 'It never applies: context.presence is required, so a person is asked at every purchase.';
      return [{ path: PATH, message }];
    }
    const most = spend?.presence_cap ?? spend?.amount_cap;
    if (most === undefined || threshold < most) return [];
    const cap = spend?.presence_cap === undefined ? 'amount_cap' : 'presence_cap';
    const message = `It never applies: no purchase above ${cap}, ${most}, passes, so a person above ${threshold} is never asked.`;
    return [{ path: PATH, message }];
  },
};
