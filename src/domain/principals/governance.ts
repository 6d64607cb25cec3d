/** Who decides about the money of a principal: loaded for a purchase, and begun where a person vouches for a principal. */

import type { Governance } from '../../../protocol/principal.ts';
import type { Caller } from '../../access/caller.ts';
import type { Holder } from '../../store/statements/people/passkeys.ts';
import { findDelegation, insertPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';

/** The agent and the principal of a purchase. */
interface Parties {
  readonly agent_did: string;
  readonly principal_did: string;
}

export function* loadGovernance(tenantId: string, parties: Parties): Script<Governance> {
  const found = yield* findDelegation(tenantId, parties.principal_did, parties.agent_did);
  return { name: found?.name, delegated: found === undefined || found.delegated === 1 };
}

/**
 * The principal whose limits a purchase counts in: a governed one that has delegated to the agent. For a mere name the agent stands,
 * and an agent without a delegation is refused, and is not told what others have spent.
 */
export function governedDidOf(principalDid: string, { name, delegated }: Governance): string | null {
  return name !== undefined && delegated ? principalDid : null;
}

/** Whose passkeys approve a purchase: the principal's alone where it is governed, else the agent's. */
export function approverOf(parties: Parties, { name }: Governance): Holder {
  return name === undefined
    ? { kind: 'agent', did: parties.agent_did }
    : { kind: 'principal', did: parties.principal_did };
}

/**
 * Makes a principal governed, because an instrument or a passkey is registered for it. No agent may name it until it
 * delegates to one. Nothing changes for one that is governed already.
 */
export function* govern(deps: EventDeps, caller: Caller, did: string, now: number): Script<void> {
  const row = { tenant_id: caller.tenantId, did, name: did, created_at: now };
  if (!(yield* insertPrincipal(row))) return;
  const data = { principalDid: did, name: did, agents: [] };
  yield* recordAdminEvent(deps, caller, 'PRINCIPAL_REGISTERED', data, now);
}
