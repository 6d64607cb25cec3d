/** What an owner alone may do, and no program that a person has let in. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { findApiKey, isOfNode } from '../../store/statements/callers/apiKeys.ts';
import { findUser } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';

/**
 * Lets in an OWNER who has logged in, the data folder, and a key that the node itself made: at its first start, or in the
 * data folder. A key that a person or another key made would give its maker what an OWNER alone may do.
 * @param what completes "Only an OWNER who has logged in, or a key that the node itself made, …"
 * @throws Fault FORBIDDEN
 */
export function* requireOwner(caller: Caller, what: string): Script<void> {
  if (caller.kind === 'node') return;
  if (caller.kind === 'session') {
    const self = caller.userId === undefined ? undefined : yield* findUser(caller.tenantId, caller.userId);
    if (self?.role === 'OWNER' && self.removed_at === null) return;
  }
  if (caller.kind === 'apiKey') {
    const key = yield* findApiKey(caller.tenantId, caller.id);
    if (key?.revoked_at === null && isOfNode(key)) return;
  }
  throw new Fault('FORBIDDEN', `Only an OWNER who has logged in, or a key that the node itself made, ${what}.`);
}
