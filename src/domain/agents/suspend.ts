/** Suspends an active agent, and records it. */

import { compact } from '../../../protocol/wire/compact.ts';
import type { Caller } from '../../access/caller.ts';
import { type AgentRow, setAgentStatus } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';

/** Suspends an active agent, and records it. */
export function* suspend(
  deps: EventDeps,
  caller: Caller,
  { did }: Pick<AgentRow, 'did'>,
  reason: string | undefined,
  now: number,
): Script<void> {
  yield* setAgentStatus(caller.tenantId, did, 'SUSPENDED', { reason: reason ?? null, revokedAt: null });
  yield* recordAdminEvent(deps, caller, 'AGENT_SUSPENDED', compact({ agentDid: did, reason }), now);
}
