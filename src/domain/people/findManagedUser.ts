/** Finds the person whom an OWNER changes. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { findUser, type UserRow } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';

/**
 * The person to change. Only an OWNER changes people, after logging in, or the data folder: who may make keys would otherwise
 * make one that raises them.
 */
export function* findManagedUser(caller: Caller, id: string): Script<UserRow> {
  const self = caller.userId === undefined ? undefined : yield* findUser(caller.tenantId, caller.userId);
  if (caller.kind !== 'node' && (self?.role !== 'OWNER' || self.removed_at !== null)) {
    throw new Fault(
      'FORBIDDEN',
      'Only an OWNER who has logged in, or the data folder, decides on people and their roles.',
    );
  }
  const user = yield* findUser(caller.tenantId, id);
  if (user === undefined) throw new Fault('NOT_FOUND', `There is no user ${id}.`);
  return user;
}
