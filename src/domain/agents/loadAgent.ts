/** Loads an agent of a tenant. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { type AgentRow, findAgent } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';

/** @throws Fault AGENT_UNKNOWN */
export function* loadAgent(tenantId: string, did: string): Script<AgentRow> {
  const agent = yield* findAgent(tenantId, did);
  if (agent === undefined) throw new Fault('AGENT_UNKNOWN', `No agent ${did} is registered here.`);
  return agent;
}
