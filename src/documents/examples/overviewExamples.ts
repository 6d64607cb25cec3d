/** Examples: what the people behind the agents look at first. */
import { AGENT } from './story.ts';

const none = { minor: 0, text: '0.00' };
const sums = {
  currency: 'USD',
  payments: 1,
  paid: { minor: 12_950, text: '129.50' },
  refunded: { minor: 1000, text: '10.00' },
  net: { minor: 11_950, text: '119.50' },
  held: none,
  disputed: none,
};

export const overviewExamples = {
  showSpend: {
    input: { from: '2026-01-01', to: '2026-12-31', by: 'agent', currency: 'USD' },
    output: { totals: [sums], entries: [{ agentDid: AGENT, ...sums }], hasMore: false },
  },
} as const;
