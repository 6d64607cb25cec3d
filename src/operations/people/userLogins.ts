/** Logins as people see them: each lists and ends their own; an OWNER those of others, too. */

import { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { removeSubscriptionsOf } from '../../domain/outbox/personSubscriptions.ts';
import { findManagedUser } from '../../domain/people/findManagedUser.ts';
import { requireLogin } from '../../domain/people/loadSelf.ts';
import {
  endLogin,
  endLoginsOf,
  findLogin,
  type LoginRow,
  listLogins as selectLogins,
} from '../../store/statements/people/logins.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const Login = z.object({
  id: z.string(),
  way: z.enum(['passkey', 'provider']),
  device: z.string().nullable().describe('What the browser says that it is.'),
  createdAt: z.string(),
  lastUsedAt: z.string().describe('When its tokens were renewed last.'),
  expiresAt: z.string(),
  current: z.boolean().describe('Whether it is the login that asks.'),
});
type Login = z.infer<typeof Login>;

/** A login, and whether it is the one that asks. */
type LoginItem = LoginRow & { readonly current: boolean };

function show({ id, way, device, current, ...times }: LoginItem): Login {
  return {
    id,
    way: way ?? 'provider',
    device,
    createdAt: isoTime(times.created_at),
    lastUsedAt: isoTime(times.last_used_at ?? times.created_at),
    expiresAt: isoTime(times.expires_at),
    current,
  };
}

export const listLogins = listing({
  summary: 'Lists the caller’s own logins that are still valid, newest first.',
  input: PageRequest,
  item: Login,
  permission: 'self',
  faults: ['FORBIDDEN'],
  order: byId,
  *select(caller, _input, before, limit, now): Script<LoginItem[]> {
    const { userId, loginId } = requireLogin(caller);
    const rows = yield* selectLogins(caller.tenantId, userId, before, limit, now);
    return rows.map((row) => ({ ...row, current: row.id === loginId }));
  },
  show,
});

const EndOne = z.object({ id: z.string() });

export const endOwnLogin = useCase({
  summary: 'Ends one of the caller’s own logins at once. Ending it again changes nothing.',
  input: EndOne,
  output: z.undefined(),
  permission: 'self',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  run: inOneCommit<z.output<typeof EndOne>, undefined>(function* (deps, caller, { id }, { now }) {
    const { userId } = requireLogin(caller);
    const login = yield* findLogin(caller.tenantId, id);
    if (login?.user_id !== userId) throw new Fault('NOT_FOUND', `There is no login ${id} of yours.`);
    if ((yield* endLogin(caller.tenantId, id, now)) > 0) yield* recordEnd(deps, caller, [id], now);
    return undefined;
  }),
});

const EndAll = z.object({
  others: z.boolean().default(false).describe('True to keep the login that asks; false to end it as well.'),
});

export const endOwnLogins = useCase({
  summary: 'Ends the caller’s own logins at once: all of them, or all others.',
  input: EndAll,
  output: z.undefined(),
  permission: 'self',
  faults: ['FORBIDDEN'],
  run: inOneCommit<z.output<typeof EndAll>, undefined>(function* (deps, caller, { others }, { now }) {
    const { userId, loginId } = requireLogin(caller);
    const ended = yield* endLoginsOf(caller.tenantId, userId, now, others ? loginId : undefined);
    yield* recordEnd(deps, caller, ended, now);
    return undefined;
  }),
});

const ListUserLogins = PageRequest.extend({ id: z.string() });

export const listUserLogins = listing({
  summary: 'Lists the logins of a user that are still valid, newest first, for an OWNER who has logged in.',
  input: ListUserLogins,
  item: Login,
  permission: 'admin',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  order: byId,
  *select(caller, { id }, before, limit, now): Script<LoginItem[]> {
    const user = yield* findManagedUser(caller, id);
    const rows = yield* selectLogins(caller.tenantId, user.id, before, limit, now);
    return rows.map((row) => ({ ...row, current: row.id === caller.loginId }));
  },
  show,
});

const OneOfUser = z.object({ id: z.string(), loginId: z.string() });

export const endUserLogin = useCase({
  summary: 'Ends one login of a user at once, as an OWNER who has logged in. Ending it again changes nothing.',
  input: OneOfUser,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<z.output<typeof OneOfUser>, undefined>(function* (
    deps: EventDeps,
    caller,
    { id, loginId },
    { now },
  ) {
    const user = yield* findManagedUser(caller, id);
    const login = yield* findLogin(caller.tenantId, loginId);
    if (login?.user_id !== user.id) throw new Fault('NOT_FOUND', `The user ${id} has no login ${loginId}.`);
    if ((yield* endLogin(caller.tenantId, loginId, now)) > 0) yield* recordEnd(deps, caller, [loginId], now, user.id);
    return undefined;
  }),
});

const OfUser = z.object({ id: z.string() });

export const endUserLogins = useCase({
  summary: 'Ends all logins of a user at once, and sends them no more notifications, as an OWNER who has logged in.',
  input: OfUser,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<z.output<typeof OfUser>, undefined>(function* (deps: EventDeps, caller, { id }, { now }) {
    const user = yield* findManagedUser(caller, id);
    yield* recordEnd(deps, caller, yield* endLoginsOf(caller.tenantId, user.id, now), now, user.id);
    // A lost device is told nothing more either.
    yield* removeSubscriptionsOf(deps, caller.tenantId, user.id);
    return undefined;
  }),
});

function* recordEnd(
  deps: EventDeps,
  caller: Caller,
  ended: readonly string[],
  now: number,
  userId = caller.userId,
): Script<void> {
  for (const loginId of ended) yield* recordAdminEvent(deps, caller, 'LOGIN_ENDED', { loginId, userId }, now);
}
