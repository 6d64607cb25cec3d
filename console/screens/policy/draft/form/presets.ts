/** Drafts to start from. */
import type { Rules } from '../../../../../client/operations.ts';

export interface Preset {
  readonly name: string;
  /** What it allows, in a sentence. */
  readonly about: string;
  readonly rules: Rules;
}

export const PRESETS: readonly Preset[] = [
  {
    name: 'Groceries',
    about: 'Groceries alone, 80 a purchase and 400 a month; up to 150 with your approval.',
    rules: {
      version: '2.0',
      spend: { amount_cap: 80, presence_cap: 150, currency: 'USD', categories: ['groceries'] },
      context: { presence_new_merchant: true },
      risk: {
        limits: [{ name: 'groceries', max_amount: 400, window: 'month', category: 'groceries', action: 'presence' }],
        duplicate: { window: '24h', action: 'presence' },
      },
    },
  },
  {
    name: 'Travel desk',
    about: 'Travel and restaurants; you approve everything above 200, and one trip may cost 3,000.',
    rules: {
      version: '2.0',
      spend: {
        amount_cap: 200,
        presence_cap: 3000,
        currency: 'USD',
        categories: ['travel', 'restaurants'],
      },
      context: { approval_ttl: '2h' },
      risk: {
        limits: [{ name: 'travel', max_amount: 10_000, window: 'month', scope: 'policy', action: 'presence' }],
      },
    },
  },
  {
    name: 'API credits',
    about: 'Many small purchases without a person: 5 each, 50 a day for each agent, 500 a month for all.',
    rules: {
      version: '2.0',
      spend: { amount_cap: 5, currency: 'USD' },
      risk: {
        velocity_limit: { max_transactions: 60, time_window: '1h' },
        limits: [
          { name: 'API day', max_amount: 50, window: 'day' },
          { name: 'API month', max_amount: 500, window: 'month', scope: 'policy' },
        ],
      },
    },
  },
  {
    name: 'Nothing without me',
    about: 'Every purchase waits for a touch of your passkey, and none costs more than 500.',
    rules: {
      version: '2.0',
      spend: { amount_cap: 500, currency: 'USD' },
      context: { presence: 'required' },
    },
  },
];
