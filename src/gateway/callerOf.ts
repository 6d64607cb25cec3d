/** The caller that a proven DID stands for between agents. */
import { Fault } from '../../protocol/fault.ts';
import type { Caller } from '../access/caller.ts';
import type { Deps } from '../handlers/deps.ts';
import { findAgentAnywhere } from '../store/statements/agents.ts';

/** @throws Fault AGENT_UNKNOWN or DID_REVOKED */
export async function callerOf(deps: Deps, did: string): Promise<Caller> {
  const agent = await deps.store.read(() => findAgentAnywhere(did));
  if (agent === undefined) throw new Fault('AGENT_UNKNOWN', `No agent ${did} is registered here.`);
  if (agent.status === 'REVOKED') throw new Fault('DID_REVOKED', 'This agent was revoked.');
  return { id: did, kind: 'did', tenantId: agent.tenant_id, permissions: new Set(['write']), did };
}
