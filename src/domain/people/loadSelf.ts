/** The person who has logged in and asks about themselves. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { findUser, type UserRow } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';

/** @throws Fault FORBIDDEN for a caller who is no person with a login of this node */
export function requireLogin({ userId, loginId }: Caller): { readonly userId: string; readonly loginId: string } {
  if (userId !== undefined && loginId !== undefined) return { userId, loginId };
  throw new Fault('FORBIDDEN', 'This is for people who have logged in at this node.');
}

/** The caller as a user. */
export function* loadSelf(caller: Caller): Script<UserRow> {
  const user = yield* findUser(caller.tenantId, requireLogin(caller).userId);
  if (user === undefined || user.removed_at !== null) throw new Fault('UNAUTHORIZED', 'This user was removed.');
  return user;
}
