/** Loads an agent: of a tenant by its DID, or of any tenant as the caller that a proven DID stands for. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { type AgentRow, findAgent, findAgentAnywhere } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';

/** @throws Fault AGENT_UNKNOWN */
export function* loadAgent(tenantId: string, did: string): Script<AgentRow> {
  return requireAgent(yield* findAgent(tenantId, did), did);
}

/** @param agent as it was loaded by its DID @throws Fault AGENT_UNKNOWN */
export function requireAgent(agent: AgentRow | undefined, did: string): AgentRow {
  if (agent === undefined) throw new Fault('AGENT_UNKNOWN', `No agent ${did} is registered here.`);
  return agent;
}

const PERMISSIONS = new Set(['read', 'write'] as const);

/**
 * @param unknown the fault for an agent that is not registered; REST reports it as an invalid credential
 * @throws Fault of that code, or DID_REVOKED
 */
export function* loadAgentCaller(did: string, unknown: 'UNVERIFIED' | 'AGENT_UNKNOWN'): Script<Caller> {
  const agent = yield* findAgentAnywhere(did);
  if (agent === undefined) throw new Fault(unknown, `No agent ${did} is registered here.`);
  if (agent.status === 'REVOKED') throw new Fault('DID_REVOKED', 'This agent was revoked.');
  return { id: did, kind: 'did', tenantId: agent.tenant_id, permissions: PERMISSIONS, did, agents: new Set([did]) };
}
