/** Whether a caller may still call, for what goes on after it was let in. */
import { Fault } from '../../protocol/wire/fault.ts';
import { permissionsOfKey } from '../access/apiKey.ts';
import type { Caller, Permission } from '../access/caller.ts';
import { permissionsOf, Role } from '../access/role.ts';
import { findApiKey } from '../store/statements/callers/apiKeys.ts';
import { findUserOfLogin } from '../store/statements/people/logins.ts';
import { findUser } from '../store/statements/people/users.ts';
import { findAgent } from '../store/statements/registry/agents.ts';
import type { Script } from '../store/store.ts';

/** False once its key or agent was revoked, its login has ended, or its person was removed; and once it may do less. */
export function* stillStands(caller: Caller, now: number): Script<boolean> {
  const { tenantId, kind, id } = caller;
  if (kind === 'apiKey') {
    const key = yield* findApiKey(tenantId, id);
    return key !== undefined && key.revoked_at === null && includesAll(permissionsOfKey(key), caller.permissions);
  }
  if (kind === 'did') return (yield* findAgent(tenantId, id))?.status !== 'REVOKED';
  if (kind === 'node') return true;
  const user =
    caller.loginId === undefined
      ? yield* findUser(tenantId, id)
      : yield* findUserOfLogin(tenantId, caller.loginId, now);
  if (user === undefined || user.removed_at !== null) return false;
  return includesAll(permissionsOf(Role.parse(user.role)), caller.permissions);
}

/**
 * For what a request keeps beyond itself: it may have been on its way while its caller was removed, and what is made after
 * that would stay.
 * @throws Fault UNAUTHORIZED
 */
export function* requireStanding(caller: Caller, now: number): Script<void> {
  if (yield* stillStands(caller, now)) return;
  throw new Fault('UNAUTHORIZED', 'This credential was ended, or may do less since; nothing was done.');
}

function includesAll(all: ReadonlySet<Permission>, some: ReadonlySet<Permission>): boolean {
  return [...some].every((permission) => all.has(permission));
}
