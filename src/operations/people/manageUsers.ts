/** The people of a tenant and their roles. A change takes effect at once, for open logins too. */

import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { GivenRole, permissionsOf, Role } from '../../access/role.ts';
import { endKey } from '../../domain/access/endKey.ts';
import { suspend } from '../../domain/agents/suspend.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { removeSubscriptionsOf } from '../../domain/outbox/personSubscriptions.ts';
import { findManagedUser } from '../../domain/people/findManagedUser.ts';
import { withdrawLinksOf } from '../../domain/people/withdrawLinks.ts';
import { listKeysOfUser, setCeiling } from '../../store/statements/callers/apiKeys.ts';
import { withdrawInvitationsOf } from '../../store/statements/people/invitations.ts';
import { endLoginsOf } from '../../store/statements/people/logins.ts';
import {
  listOwners,
  markUserRemoved,
  listUsers as selectUsers,
  setRole,
  type UserRow,
} from '../../store/statements/people/users.ts';
import { listOwnedAgents } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const User = z.object({
  id: z.string(),
  did: z.string(),
  name: z.string().optional().describe('What they call themselves.'),
  email: z.string().nullable(),
  role: Role,
  createdAt: z.string(),
  lastLoginAt: z.string(),
  removedAt: z.string().optional().describe('They stay out until an OWNER gives them a role again.'),
});

type User = z.infer<typeof User>;

function showUser(row: UserRow): User {
  return compact({
    id: row.id,
    did: row.did,
    name: row.name ?? undefined,
    email: row.email,
    role: Role.parse(row.role),
    createdAt: isoTime(row.created_at),
    lastLoginAt: isoTime(row.last_login_at),
    removedAt: isoTime(row.removed_at),
  });
}

export const listUsers = listing({
  summary: 'Lists users, newest first.',
  input: PageRequest,
  item: User,
  permission: 'admin',
  order: byId,
  select: ({ tenantId }, _input, before, limit) => selectUsers(tenantId, before, limit),
  show: showUser,
});

const SetUserRole = z.strictObject({ id: z.string(), role: GivenRole });

export const setUserRole = useCase({
  summary:
    'Gives a person a role, and so lets them in, again too. An OWNER does it after logging in; one always remains.',
  input: SetUserRole,
  output: User,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof SetUserRole>, User>(function* (deps: EventDeps, caller, { id, role }, { now }) {
    const user = yield* findManagedUser(caller, id);
    if (role !== 'OWNER') yield* requireAnotherOwner(user);
    yield* setRole(caller.tenantId, id, role);
    yield* setCeiling(caller.tenantId, id, [...permissionsOf(role)].join(' '));
    const wasOut = user.removed_at !== null || user.role === 'PENDING';
    const lost = lostBetween(Role.parse(user.role), role);
    const withdrawn = yield* withdrawLinksOf(deps, caller, user, lost, now);
    const data = { userId: id, role, formerRole: user.role, ...named(withdrawn) };
    yield* recordAdminEvent(deps, caller, wasOut ? 'USER_INVITED' : 'USER_ROLE_CHANGED', data, now);
    return showUser({ ...user, role, removed_at: null });
  }),
});

/** What the former role could make and the new one cannot. */
function lostBetween(former: Role, role: Role): Parameters<typeof withdrawLinksOf>[3] {
  const enrolls = (each: Role) => permissionsOf(each).has('admin');
  return { invites: former === 'OWNER' && role !== 'OWNER', enrolls: enrolls(former) && !enrolls(role) };
}

function named(withdrawn: readonly string[]): { withdrawnEnrollments?: readonly string[] } {
  return withdrawn.length === 0 ? {} : { withdrawnEnrollments: withdrawn };
}

const RemoveUser = z.object({
  id: z.string(),
  suspendAgents: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` suspends the agents that this person owns; otherwise they go on.'),
});

export const removeUser = useCase({
  summary:
    'Removes a person, ends their logins, revokes the keys and withdraws the links they made, and suspends the agents they own where that is asked for. They stay out until they get a role again.',
  input: RemoveUser,
  output: z.undefined(),
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof RemoveUser>, undefined>(function* (deps, caller, input, { now }) {
    const { id } = input;
    const user = yield* findManagedUser(caller, id);
    if (user.removed_at !== null) return undefined;
    yield* requireAnotherOwner(user);
    yield* endLoginsOf(caller.tenantId, id, now);
    yield* withdrawInvitationsOf(caller.tenantId, id);
    for (const key of yield* listKeysOfUser(caller.tenantId, id)) yield* endKey(deps, caller, key, now);
    yield* removeSubscriptionsOf(deps, caller.tenantId, id);
    yield* markUserRemoved(caller.tenantId, id, now);
    const lost = { invites: true, enrolls: true };
    const withdrawn = yield* withdrawLinksOf(deps, caller, user, lost, now);
    const suspends = input.suspendAgents === 'true';
    const agents = yield* listOwnedAgents(caller.tenantId, id);
    for (const agent of suspends ? agents : []) {
      if (agent.status === 'ACTIVE') yield* suspend(deps, caller, agent, 'Its owner was removed.', now);
    }
    const owned = agents.length === 0 ? {} : { agents: agents.map(({ did }) => did), suspended: suspends };
    const data = { userId: id, role: user.role, ...named(withdrawn), ...owned };
    yield* recordAdminEvent(deps, caller, 'USER_REMOVED', data, now);
    return undefined;
  }),
});

function* requireAnotherOwner(user: UserRow): Script<void> {
  if (user.role !== 'OWNER' || (yield* listOwners(user.tenant_id)).length > 1) return;
  throw new Fault('CONFLICT', 'This is the last OWNER; make somebody else OWNER first.');
}
