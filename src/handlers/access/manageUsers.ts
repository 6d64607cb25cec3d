/** The people of a tenant and their roles. A change takes effect at once, for open logins too. */

import { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { Role } from '../../access/role.ts';
import { endLoginsOf } from '../../store/statements/people/logins.ts';
import {
  countUsers,
  deleteUser,
  findUser,
  listUsers as selectUsers,
  setRole,
  type UserRow,
} from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import { byId, listing } from '../core/listing.ts';
import { inOneCommit, useCase } from '../core/useCase.ts';

const User = z.object({
  id: z.string(),
  did: z.string(),
  email: z.string().nullable(),
  role: Role,
  createdAt: z.string(),
  lastLoginAt: z.string(),
});
type User = z.infer<typeof User>;

function showUser(row: UserRow): User {
  return {
    id: row.id,
    did: row.did,
    email: row.email,
    role: Role.parse(row.role),
    createdAt: isoTime(row.created_at),
    lastLoginAt: isoTime(row.last_login_at),
  };
}

export const listUsers = listing({
  summary: 'Lists people who have logged in, newest first.',
  input: PageRequest,
  item: User,
  permission: 'admin',
  order: byId,
  select: ({ tenantId }, _input, before, limit) => selectUsers(tenantId, before, limit),
  show: showUser,
});

const SetUserRole = z.object({ id: z.string(), role: Role });

export const setUserRole = useCase({
  summary: 'Changes a person’s role. Needs an OWNER or an admin key; one OWNER always remains.',
  input: SetUserRole,
  output: User,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof SetUserRole>, User>(function* (_deps, caller, { id, role }) {
    const user = yield* findManagedUser(caller, id);
    if (role !== 'OWNER') yield* requireAnotherOwner(user);
    yield* setRole(caller.tenantId, id, role);
    return showUser({ ...user, role });
  }),
});

const RemoveUser = z.object({ id: z.string() });

export const removeUser = useCase({
  summary: 'Removes a person and ends their logins. A person who logs in again starts as VIEWER.',
  input: RemoveUser,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof RemoveUser>, undefined>(function* (_deps, caller, { id }, { now }) {
    const user = yield* findManagedUser(caller, id);
    yield* requireAnotherOwner(user);
    yield* endLoginsOf(caller.tenantId, id, now);
    yield* deleteUser(caller.tenantId, id);
    return undefined;
  }),
});

/** The person to change. Only an OWNER, or an admin key of the tenant, may change people. */
function* findManagedUser(caller: Caller, id: string): Script<UserRow> {
  const user = yield* findUser(caller.tenantId, id);
  if (user === undefined) throw new Fault('NOT_FOUND', `There is no user ${id}.`);
  if (caller.userId === undefined) return user;
  const self = yield* findUser(caller.tenantId, caller.userId);
  if (self?.role !== 'OWNER') throw new Fault('FORBIDDEN', 'Only an OWNER decides on people and their roles.');
  return user;
}

function* requireAnotherOwner(user: UserRow): Script<void> {
  if (user.role !== 'OWNER' || (yield* countUsers(user.tenant_id, 'OWNER')) > 1) return;
  throw new Fault('CONFLICT', 'This is the last OWNER; make somebody else OWNER first.');
}
