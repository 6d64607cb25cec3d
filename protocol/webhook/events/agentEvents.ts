/** Events about agents. */
import { z } from 'zod';
import { AGENT, AT } from '../eventParts.ts';
import { pick, webhookEvent } from '../webhookEvent.ts';

export const AGENT_EVENTS = [
  webhookEvent({
    type: 'agent.created',
    evidence: 'AGENT_CREATED',
    name: 'An agent is added',
    docs: 'An agent was registered.',
    data: z.object({
      agentDid: z.string(),
      displayName: z.string(),
      capabilities: z.array(z.string()),
      createdAt: z.iso.datetime(),
    }),
    dataOf: (facts, createdAt) => ({
      ...pick(facts, 'agentDid', 'displayName', 'capabilities'),
      createdAt,
    }),
    example: { agentDid: AGENT, displayName: 'Shopping agent', capabilities: ['shopping'], createdAt: AT },
    context: { agentDid: AGENT },
  }),
  webhookEvent({
    type: 'agent.revoked',
    evidence: 'AGENT_REVOKED',
    name: 'An agent is revoked',
    docs: 'An agent was revoked for good. Its approval tokens are void.',
    data: z.object({ agentDid: z.string(), reason: z.string(), revokedAt: z.iso.datetime() }),
    dataOf: (facts, revokedAt) => ({
      ...pick(facts, 'agentDid', 'reason'),
      revokedAt,
    }),
    example: { agentDid: AGENT, reason: 'It lost its key.', revokedAt: AT },
    context: { agentDid: AGENT },
  }),
  webhookEvent({
    type: 'agent.suspended',
    evidence: 'AGENT_SUSPENDED',
    name: 'An agent is frozen',
    docs: 'An agent was suspended: it buys nothing until it is reactivated. `reason` is there when one was given.',
    data: z.object({
      agentDid: z.string(),
      reason: z.string().optional(),
      suspendedAt: z.iso.datetime(),
    }),
    dataOf: (facts, suspendedAt) => ({
      ...pick(facts, 'agentDid', 'reason'),
      suspendedAt,
    }),
    example: { agentDid: AGENT, reason: 'It buys too much tea.', suspendedAt: AT },
    context: { agentDid: AGENT },
  }),
  webhookEvent({
    type: 'agent.reactivated',
    evidence: 'AGENT_REACTIVATED',
    name: 'An agent may buy again',
    docs: 'A suspended agent may buy again.',
    data: z.object({ agentDid: z.string(), reactivatedAt: z.iso.datetime() }),
    dataOf: (facts, reactivatedAt) => ({
      ...pick(facts, 'agentDid'),
      reactivatedAt,
    }),
    example: { agentDid: AGENT, reactivatedAt: AT },
    context: { agentDid: AGENT },
  }),
] as const;
