/** Examples: policies. */
import type { z } from 'zod';
import type { Rules } from '../../../protocol/policy/rules.ts';
import { AGENT, AT } from './story/story.ts';

const rules: z.input<typeof Rules> = {
  version: '2.0',
  spend: { amount_cap: 80, presence_cap: 200, currency: 'USD', categories: ['groceries', 'household'] },
  merchant: { deny_list: ['casino.example'] },
  context: {
    presence: 'optional',
    presence_threshold: 50,
    time_windows: [
      { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '20:00', timezone: 'Europe/Berlin' },
    ],
  },
  risk: { velocity_limit: { max_transactions: 10, max_amount: 400, time_window: '24h' } },
  rails: { allow: ['CARD_RAIL', 'SPT_RAIL'] },
};

const policy = {
  id: 'pol_01m7yh6j2c5f8k1n4q7t0w3z6b',
  version: 1,
  name: 'Groceries',
  rules,
  hash: 'sha256:ce12f2bd35521ba3c83f53d30425795fc1c106e44f557eefa73f202603bc4a4c',
  isActive: false,
  createdAt: AT,
};

const passed = (rule: string) => ({ rule, outcome: 'passed' as const });
const overCap = '250.00 USD is 50.00 over the cap of 200.00.';
const refusedTrace = [
  { rule: 'AMOUNT_OVER_CAP', outcome: 'refused' as const, message: overCap },
  passed('CURRENCY_NOT_ALLOWED'),
  passed('MERCHANT_NOT_ALLOWED'),
];

const refused = {
  ruleTable: [
    {
      rule: 'AMOUNT_OVER_CAP',
      outcome: 'failed' as const,
      asked: 250,
      limit: 200,
      left: -50,
      currency: 'USD',
      sentence: overCap,
    },
    {
      rule: 'CURRENCY_NOT_ALLOWED',
      outcome: 'passed' as const,
      asked: 'USD',
      sentence: "USD is the policy's currency.",
    },
    { rule: 'MERCHANT_NOT_ALLOWED', outcome: 'notAsked' as const, sentence: 'The policy has no such rule.' },
  ],
  counterfactual: {
    alone: [{ change: 'amount' as const, amount: 200, currency: 'USD', how: 'with at most 200.00 USD' }],
    together: [],
    sentence: 'It would pass with at most 200.00 USD.',
  },
};

const replayed = {
  since: '2026-11-20T00:00:00.000Z',
  at: AT,
  complete: true,
  requests: 214,
  wereAllowed: 206,
  wouldBeAllowed: 205,
  wouldNeedPresence: 0,
  money: [{ currency: 'USD', wasAllowed: 8120.5, wouldBeAllowed: 8025.5 }],
  limits: [
    {
      name: 'velocity_limit',
      scope: 'agent' as const,
      window: '24h',
      action: 'deny' as const,
      asked: {
        from: '2026-11-20T07:47:41.450Z',
        to: '2026-11-21T07:47:41.450Z',
        agentDid: AGENT,
        requests: 7,
        money: [{ currency: 'USD', amount: 412.5 }],
      },
      refused: { requests: 1, money: [{ currency: 'USD', amount: 46.4 }] },
      person: { requests: 0, money: [] },
    },
  ],
  flipped: 1,
  flips: [
    {
      seq: 1807,
      createdAt: '2026-11-20T17:12:09.310Z',
      transactionId: 'txn_01m7xh2v6e5f8k1n4q7t0w3z6b',
      agentDid: AGENT,
      amount: 95,
      currency: 'USD',
      merchantDomain: 'shop.example',
      was: { allowed: true, hpRequired: false, reasonCodes: [] },
      would: { allowed: false, hpRequired: false, reasonCodes: ['AMOUNT_OVER_CAP'] },
      details: {
        AMOUNT_OVER_CAP: {
          requested: 95,
          limit: 80,
          currency: 'USD',
          message: '95.00 USD is 15.00 over the cap of 80.00.',
        },
      },
      trace: [
        {
          rule: 'AMOUNT_OVER_CAP',
          outcome: 'refused' as const,
          message: '95.00 USD is 15.00 over the cap of 80.00.',
        },
        passed('CURRENCY_NOT_ALLOWED'),
      ],
    },
  ],
};

export const policyExamples = {
  createPolicy: { input: { name: 'Groceries', rules, activate: false }, output: { ...policy, warnings: [] } },
  updatePolicy: {
    input: { id: policy.id, name: 'Groceries and household' },
    output: { ...policy, version: 2, name: 'Groceries and household', warnings: [] },
  },
  simulatePolicy: {
    input: { id: policy.id, request: { amount: 250, currency: 'USD', merchantDomain: 'shop.example' } },
    output: {
      allowed: false,
      reasonCodes: ['AMOUNT_OVER_CAP'],
      details: {
        AMOUNT_OVER_CAP: {
          requested: 250,
          limit: 200,
          currency: 'USD',
          message: overCap,
        },
      },
      hpRequired: false,
      evaluatedAt: AT,
      trace: refusedTrace,
      ...refused,
    },
  },
  simulateDraft: {
    input: {
      rules: { version: '2.0' as const, spend: { amount_cap: 200, currency: 'USD' } },
      request: { amount: 250, currency: 'USD', merchantDomain: 'shop.example' },
      at: AT,
      before: { transactions: 2, spent: 80 },
    },
    output: {
      allowed: false,
      reasonCodes: ['AMOUNT_OVER_CAP' as const],
      details: { AMOUNT_OVER_CAP: { requested: 250, limit: 200, currency: 'USD', message: overCap } },
      hpRequired: false,
      evaluatedAt: AT,
      trace: refusedTrace,
      ...refused,
    },
  },
  explainPolicy: {
    input: { amount: 250, currency: 'USD', merchantDomain: 'shop.example' },
    output: {
      allowed: false,
      reasonCodes: ['AMOUNT_OVER_CAP' as const],
      details: { AMOUNT_OVER_CAP: { requested: 250, limit: 200, currency: 'USD', message: overCap } },
      hpRequired: false,
      warnings: [],
      policy: { name: policy.name, version: policy.version, hash: policy.hash },
      ...refused,
    },
  },
  comparePolicies: {
    input: {
      former: { version: '2.0' as const, spend: { amount_cap: 100, currency: 'USD' } },
      next: {
        version: '2.0' as const,
        spend: { amount_cap: 150, currency: 'USD' },
        risk: { limits: [{ name: 'groceries', max_amount: 400, window: 'month', category: 'groceries' }] },
      },
    },
    output: {
      looser: true,
      changes: [
        {
          path: 'spend.amount_cap',
          former: 100,
          next: 150,
          direction: 'looser' as const,
          sentence: 'cap 100 → 150 USD',
        },
        {
          path: 'risk.limits',
          next: [{ name: 'groceries', max_amount: 400, window: 'month', category: 'groceries' }],
          direction: 'tighter' as const,
          sentence: 'budgets and limits none → name groceries, max_amount 400, window month, category groceries',
        },
      ],
      warnings: [],
      limits: [
        {
          name: 'groceries',
          measure: 'amount' as const,
          limit: 400,
          currency: 'USD',
          window: 'month',
          timezone: 'UTC',
          scope: 'agent' as const,
          category: 'groceries',
          action: 'deny' as const,
          periodStart: '2026-11-01T00:00:00Z',
          resetsAt: '2026-12-01T00:00:00Z',
          isAll: true,
          isChanged: true,
          usedUp: 1,
          most: [{ did: AGENT, name: 'Grocery agent', used: 437.5 }],
        },
      ],
    },
  },
  replayPolicy: {
    input: {
      rules: { version: '2.0' as const, spend: { amount_cap: 80, currency: 'USD' } },
      since: '2026-11-20T00:00:00Z',
      at: AT,
      limit: 10,
    },
    output: replayed,
  },
  replayDraft: {
    input: {
      rules: { version: '2.0' as const, spend: { amount_cap: 80, currency: 'USD' } },
      since: '2026-11-20T00:00:00Z',
      at: AT,
      limit: 10,
      format: 'json' as const,
    },
    output: replayed,
  },
  currentPolicy: { input: {}, output: { ...policy, isActive: true } },
  listPolicies: { input: { limit: 20 }, output: { data: [policy], hasMore: false, cursor: null } },
};
