/** Whose a passkey is: an agent's, a governed principal's, or a user's; and whose passkeys answer for each. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Holder, listPasskeysOf, type PasskeyRow } from '../../store/statements/people/passkeys.ts';
import { findUser, findUserByDid, type UserRow } from '../../store/statements/people/users.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import { loadAgent } from '../agents/loadAgent.ts';
import { isOfOut, isOut } from './touchPerson.ts';

interface HolderReference {
  readonly agentDid?: string | undefined;
  readonly principalDid?: string | undefined;
}

/** The holder that a request names; its schema lets it name one. */
export function holderIn(named: HolderReference): Holder {
  return named.principalDid === undefined
    ? { kind: 'agent', did: named.agentDid as string }
    : { kind: 'principal', did: named.principalDid };
}

/** The member that names a holder, in answers and events. */
export function namedHolder({ kind, did }: Holder): { agentDid?: string; principalDid?: string; userDid?: string } {
  if (kind === 'user') return { userDid: did };
  return kind === 'agent' ? { agentDid: did } : { principalDid: did };
}

/** Those whose passkeys answer for a holder: its own, and those of the user who owns the agent, or is the principal. */
export function* approversFor(tenantId: string, holder: Holder): Script<readonly Holder[]> {
  const user = yield* userBehind(tenantId, holder);
  return user === undefined || isOut(user) ? [holder] : [holder, { kind: 'user', did: user.did }];
}

/** The user who owns an agent, or has a principal's DID. */
export function* userBehind(tenantId: string, { kind, did }: Holder): Script<UserRow | undefined> {
  if (kind === 'principal') return yield* findUserByDid(tenantId, did);
  if (kind === 'user') return undefined;
  const owner = (yield* findAgent(tenantId, did))?.owner_user_id ?? null;
  return owner === null ? undefined : yield* findUser(tenantId, owner);
}

export function* listApprovingPasskeys(tenantId: string, holder: Holder): Script<readonly PasskeyRow[]> {
  const passkeys: PasskeyRow[] = [];
  for (const each of yield* approversFor(tenantId, holder)) {
    for (const passkey of yield* listPasskeysOf(tenantId, each)) {
      if (!(yield* isOfOut(passkey))) passkeys.push(passkey);
    }
  }
  return passkeys;
}

/**
 * What people call a holder.
 * @throws Fault AGENT_UNKNOWN, CONFLICT for an agent that was revoked
 */
export function* nameOfHolder(tenantId: string, holder: Holder): Script<string> {
  if (holder.kind === 'user') return nameOfUser(yield* findUserByDid(tenantId, holder.did), holder.did);
  if (holder.kind === 'principal') return (yield* findPrincipal(tenantId, holder.did))?.name ?? holder.did;
  const agent = yield* loadAgent(tenantId, holder.did);
  if (agent.status !== 'REVOKED') return agent.display_name;
  throw new Fault('CONFLICT', 'This agent was revoked; nothing can be enrolled for it.');
}

function nameOfUser(user: UserRow | undefined, did: string): string {
  return user?.name ?? user?.email ?? did;
}
