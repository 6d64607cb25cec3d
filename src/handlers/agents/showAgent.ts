/** An agent as callers see it. */
import type { Agent, AgentSummary } from '../../../protocol/agent.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';

export function showAgentSummary(agent: AgentRow): AgentSummary {
  return {
    did: agent.did,
    status: agent.status,
    displayName: agent.display_name,
    createdAt: new Date(agent.created_at).toISOString(),
  };
}

export function showAgent(agent: AgentRow): Agent {
  return {
    ...showAgentSummary(agent),
    description: agent.description,
    capabilities: JSON.parse(agent.capabilities),
    publicKey: agent.did.slice('did:key:'.length),
    velocity: agent.velocity === null ? null : JSON.parse(agent.velocity),
    ...(agent.revoked_at === null ? {} : { revokedAt: new Date(agent.revoked_at).toISOString() }),
    ...(agent.reason === null ? {} : { reason: agent.reason }),
  };
}
