/** An agent as callers see it. */

import type { AgentRecord, AgentSummary } from '../../../protocol/agent.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { listMandateKeysOf } from '../../store/statements/registry/mandateKeys.ts';
import type { Script } from '../../store/store.ts';

export function showAgentSummary(agent: AgentRow): AgentSummary {
  return compact({
    did: agent.did,
    status: agent.status,
    displayName: agent.display_name,
    createdAt: isoTime(agent.created_at),
    ownerUserId: agent.owner_user_id ?? undefined,
  });
}

export function* showAgent(agent: AgentRow): Script<AgentRecord> {
  const keys = yield* listMandateKeysOf(agent.tenant_id, agent.did);
  return compact({
    ...showAgentSummary(agent),
    description: agent.description,
    capabilities: JSON.parse(agent.capabilities),
    publicKey: agent.did.slice('did:key:'.length),
    velocity: agent.velocity === null ? null : JSON.parse(agent.velocity),
    mandateKeys: keys.length === 0 ? undefined : keys.map(({ jwk }) => JSON.parse(jwk)),
    revokedAt: isoTime(agent.revoked_at),
    reason: agent.reason ?? undefined,
  });
}
