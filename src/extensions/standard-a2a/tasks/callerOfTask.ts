/** The caller that began a task, as the node acts for them later: with what they may do by then. */
import { Fault } from '../../../../protocol/wire/fault.ts';
import { callerOfStoredKey } from '../../../access/apiKey.ts';
import { type Caller, requirePermission } from '../../../access/caller.ts';
import { permissionsOf, Role } from '../../../access/role.ts';
import { findApiKey } from '../../../store/statements/callers/apiKeys.ts';
import { findUser } from '../../../store/statements/people/users.ts';
import type { TaskRow } from '../../../store/statements/purchases/tasks.ts';
import type { Script } from '../../../store/store.ts';

/**
 * An agent's state is for the use case to judge, which refuses by it.
 * @throws Fault for a credential that was taken back, or that lacks the permission
 */
export function* callerOfTask(
  row: Pick<TaskRow, 'tenant_id' | 'owner_kind' | 'owner_id'>,
  permission: 'read' | 'write',
): Script<Caller> {
  const { tenant_id: tenantId, owner_kind: kind, owner_id: id } = row;
  const caller =
    kind === 'did'
      ? agentCaller(tenantId, id)
      : kind === 'apiKey'
        ? callerOfStoredKey(yield* findApiKey(tenantId, id))
        : yield* personCaller(tenantId, id);
  requirePermission(caller, permission);
  return caller;
}

function agentCaller(tenantId: string, did: string): Caller {
  const permissions = new Set(['read', 'write'] as const);
  return { id: did, kind: 'did', tenantId, permissions, did, agents: new Set([did]) };
}

function* personCaller(tenantId: string, id: string): Script<Caller> {
  const user = yield* findUser(tenantId, id);
  if (user === undefined || user.removed_at !== null)
    throw new Fault('UNAUTHORIZED', 'The person who asked was removed.');
  return { id, kind: 'session', tenantId, userId: id, permissions: permissionsOf(Role.parse(user.role)) };
}
