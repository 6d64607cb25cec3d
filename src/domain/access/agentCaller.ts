/** The caller that a proven DID stands for, the same at both gates. */

import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { findAgentAnywhere } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';

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
