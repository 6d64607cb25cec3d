/** Whether a caller may still call, for what goes on long after it was let in. */
import type { Caller } from '../../access/caller.ts';
import { permissionsOf, Role } from '../../access/role.ts';
import { findApiKey } from '../../store/statements/callers/apiKeys.ts';
import { findUserOfLogin } from '../../store/statements/people/logins.ts';
import { findUser } from '../../store/statements/people/users.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';

/** False once its key or agent was revoked, its login has ended, or its person was removed or may do less. */
export function* stillStands(caller: Caller, now: number): Script<boolean> {
  const { tenantId, kind, id } = caller;
  if (kind === 'apiKey') return (yield* findApiKey(tenantId, id))?.revoked_at === null;
  if (kind === 'did') return (yield* findAgent(tenantId, id))?.status !== 'REVOKED';
  if (kind === 'node') return true;
  const user =
    caller.loginId === undefined
      ? yield* findUser(tenantId, id)
      : yield* findUserOfLogin(tenantId, caller.loginId, now);
  if (user === undefined || user.removed_at !== null) return false;
  const permissions = permissionsOf(Role.parse(user.role));
  return [...caller.permissions].every((permission) => permissions.has(permission));
}
