/** Loads an agent of a tenant. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { type AgentRow, findAgent } from '../../store/statements/registry/agents.ts';
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
