/** Examples: agents and what an owner does about one. */
import { AGENT, AT } from './story/story.ts';

const summary = { did: AGENT, status: 'ACTIVE', displayName: 'Shopping agent', createdAt: AT };
const agent = {
  ...summary,
  description: 'Buys groceries for the household.',
  capabilities: ['shopping'],
  publicKey: AGENT.slice('did:key:'.length),
  velocity: null,
};
const used = {
  name: 'velocity_limit',
  measure: 'amount',
  limit: 500,
  used: 72.5,
  left: 427.5,
  currency: 'USD',
  window: '24h',
  scope: 'agent',
  action: 'deny',
};
const groceries = {
  name: 'groceries',
  measure: 'amount',
  limit: 200,
  used: 150,
  left: 50,
  currency: 'USD',
  window: 'month',
  timezone: 'Europe/Berlin',
  scope: 'policy',
  category: 'groceries',
  action: 'deny',
  periodStart: '2026-02-28T23:00:00.000Z',
  resetsAt: '2026-03-31T22:00:00.000Z',
};
const limit = { maxTransactions: 20, maxAmount: 500, timeWindow: '24h' };

export const agentExamples = {
  registerAgent: {
    input: {
      name: 'Shopping agent',
      description: agent.description,
      capabilities: agent.capabilities,
      publicKey: agent.publicKey,
    },
    output: summary,
  },
  getAgent: { input: { did: AGENT }, output: agent },
  listAgents: { input: { status: 'ACTIVE', limit: 20 }, output: { data: [summary], hasMore: false, cursor: null } },
  listLimits: {
    input: { status: 'ACTIVE', limit: 20 },
    output: {
      data: [
        {
          ...summary,
          lastSeenAt: AT,
          limits: [
            {
              name: 'velocity_limit',
              scope: 'agent',
              own: false,
              window: '1 day',
              windowSeconds: 86_400,
              action: 'deny',
              purchases: 3,
              maxTransactions: 20,
              spent: 72.5,
              maxAmount: 500,
              currency: 'USD',
            },
          ],
        },
      ],
      hasMore: false,
      cursor: null,
    },
  },
  showAgentLimits: { input: { did: AGENT }, output: { at: AT, limits: [used, groceries] } },
  showLimits: { input: {}, output: { at: AT, limits: [groceries] } },
  changeAgent: {
    input: { did: AGENT, name: 'Grocery agent' },
    output: { ...agent, displayName: 'Grocery agent' },
  },
  setAgentVelocity: { input: { did: AGENT, ...limit }, output: { ...agent, velocity: limit } },
  suspendAgent: {
    input: { did: AGENT, reason: 'Odd purchases at night' },
    output: { ...agent, status: 'SUSPENDED', velocity: limit, reason: 'Odd purchases at night' },
  },
  reactivateAgent: { input: { did: AGENT }, output: { ...agent, velocity: limit } },
} as const;

/** For good, so it comes last. */
export const revocationExample = {
  revokeAgent: {
    input: { did: AGENT, reason: 'The key was lost' },
    output: { ...agent, status: 'REVOKED', velocity: limit, revokedAt: AT, reason: 'The key was lost' },
  },
} as const;
