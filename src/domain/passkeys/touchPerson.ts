/** Whose touch a passkey's is: a user's who enrolled it signed in, or that of the passkey holder of an agent or a principal. */
import type { TouchPerson } from '../../../protocol/approvals/personText.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { findApiKey } from '../../store/statements/callers/apiKeys.ts';
import type { PasskeyRow } from '../../store/statements/people/passkeys.ts';
import { findUser, findUserByDid, type UserRow } from '../../store/statements/people/users.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';

/** Whether a user was removed, or waits to be let in: no touch of theirs counts. */
export function isOut(user: Pick<UserRow, 'removed_at' | 'role'>): boolean {
  return user.removed_at !== null || user.role === 'PENDING';
}

/** Whether the user who enrolled a passkey for an agent or a principal is out. */
export function* isOfOut({ tenant_id: tenantId, user_id: userId }: PasskeyRow): Script<boolean> {
  if (userId === null) return false;
  const user = yield* findUser(tenantId, userId);
  return user === undefined || isOut(user);
}

/** Whose touch a passkey's is: that of the user who enrolled it, signed in, or of the passkey holder of its agent or principal. */
export function* personOf(passkey: PasskeyRow): Script<TouchPerson> {
  const { tenant_id: tenantId, holder_kind: kind, holder_did: did, user_id: userId } = passkey;
  if (kind === 'user') return { did, passkeyOf: kind };
  const user = userId === null ? undefined : yield* findUser(tenantId, userId);
  return user === undefined ? { did, passkeyOf: kind } : { did: user.did, passkeyOf: 'user' };
}

/** The members of events and proofs that name who touched. */
export function namedPerson({ did, passkeyOf }: TouchPerson) {
  return { approvedBy: did, passkeyOf };
}

/** The user behind a passkey's link: who made it, or the key that made it; undefined for a key that the node itself made. */
export function* makerOf({ tenant_id: tenantId, made_by: madeBy }: PasskeyRow): Script<UserRow | undefined> {
  const [kind, id = ''] = madeBy?.split(' ') ?? [];
  const userId = kind === 'key' ? ((yield* findApiKey(tenantId, id))?.user_id ?? null) : kind === 'user' ? id : null;
  return userId === null ? undefined : yield* findUser(tenantId, userId);
}

/** The maker of a link, as answers and events name it. */
export function shownMaker(madeBy: string | null): { kind: 'key' | 'node' | 'user'; id: string } | undefined {
  const [kind, id] = madeBy?.split(' ') ?? [];
  if (id === undefined || (kind !== 'key' && kind !== 'node' && kind !== 'user')) return undefined;
  return { kind, id };
}

/** What people call a user, an agent or a principal, where it has a name; an address is not told to every holder of a link. */
export function* nameOfPerson(tenantId: string, { did, passkeyOf }: TouchPerson): Script<string | undefined> {
  if (passkeyOf === 'user') return inertText((yield* findUserByDid(tenantId, did))?.name ?? '') || undefined;
  if (passkeyOf === 'principal') return inertText((yield* findPrincipal(tenantId, did))?.name ?? '') || undefined;
  return inertText((yield* findAgent(tenantId, did))?.display_name ?? '') || undefined;
}
