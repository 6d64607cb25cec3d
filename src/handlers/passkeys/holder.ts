/** Whose a passkey is: an agent's, or a governed principal's. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Holder } from '../../store/statements/people/passkeys.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import { loadAgent } from '../policies/loadFacts.ts';

interface Named {
  readonly agentDid?: string | undefined;
  readonly principalDid?: string | undefined;
}

/** The holder that a request names; its schema lets it name one. */
export function holderIn(named: Named): Holder {
  return named.principalDid === undefined
    ? { kind: 'agent', did: named.agentDid as string }
    : { kind: 'principal', did: named.principalDid };
}

/** The member that names a holder, in answers and events. */
export function namedHolder(holder: Holder): { agentDid?: string; principalDid?: string } {
  return holder.kind === 'agent' ? { agentDid: holder.did } : { principalDid: holder.did };
}

/**
 * What people call a holder.
 * @throws Fault AGENT_UNKNOWN, CONFLICT for an agent that was revoked
 */
export function* nameOfHolder(tenantId: string, holder: Holder): Script<string> {
  if (holder.kind === 'principal') return (yield* findPrincipal(tenantId, holder.did))?.name ?? holder.did;
  const agent = yield* loadAgent(tenantId, holder.did);
  if (agent.status !== 'REVOKED') return agent.display_name;
  throw new Fault('CONFLICT', 'This agent was revoked; nothing can be enrolled for it.');
}
