/** Whether a person may be named the owner of an agent. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Caller, requireTouch } from '../../access/caller.ts';
import { findUser } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';

/**
 * Whose passkeys approve is whose money is safe: a person who names another person touches a passkey for it.
 * @throws Fault NOT_FOUND for a user who is none, CONFLICT for one who is out, STEP_UP_REQUIRED
 */
export function* requireMayOwn(caller: Caller, userId: string | null, now: number): Script<void> {
  if (userId === null) return;
  if (userId !== caller.userId) requireTouch(caller, now);
  const user = yield* findUser(caller.tenantId, userId);
  if (user === undefined) throw new Fault('NOT_FOUND', `There is no user ${userId}.`);
  if (user.removed_at !== null || user.role === 'PENDING') {
    throw new Fault('CONFLICT', 'This user is out; give them a role first.');
  }
}
