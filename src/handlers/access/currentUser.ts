/** Shows the caller who it is, and ends a login. */
import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { PERMISSIONS, type Permission, touchEnds } from '../../access/caller.ts';
import { permissionsOf, Role, roleLike } from '../../access/role.ts';
import { endLogin } from '../../store/statements/people/logins.ts';
import { findUser, type UserRow } from '../../store/statements/people/users.ts';
import { inOneCommit, inOneRead, useCase } from '../core/useCase.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';

export const CurrentUser = z.object({
  did: z.string(),
  email: z.string().nullable(),
  role: Role,
  permissions: z.array(z.enum(PERMISSIONS)).describe('What the caller may; a route says which of them it needs.'),
  tenantId: z.string(),
  agents: z
    .array(z.string())
    .optional()
    .describe(
      'The agents that the caller acts for, where it may not for all: those of a bound key, or the agent itself.',
    ),
  userId: z.string().optional().describe('Of a person who has logged in; so are the members that follow.'),
  name: z.string().optional(),
  loginId: z.string().optional(),
  touchedUntil: z.string().optional().describe('Until then no new touch of a passkey is asked for.'),
});
export type CurrentUser = z.infer<typeof CurrentUser>;

const Nothing = z.object({});

export const currentUser = useCase({
  summary: 'Shows the caller: the person of a login, the agent of a DID proof, or the issuer for an API key.',
  input: Nothing,
  output: CurrentUser,
  permission: 'self',
  run: inOneRead<z.output<typeof Nothing>, CurrentUser>(function* (deps, caller) {
    const { tenantId, userId } = caller;
    if (userId === undefined) {
      return compact({
        did: caller.did ?? deps.issuer.did,
        email: null,
        role: roleLike(caller.permissions),
        permissions: named(caller.permissions),
        tenantId,
        agents: caller.agents && [...caller.agents],
      });
    }
    const user = yield* findUser(tenantId, userId);
    if (user === undefined) throw new Fault('UNAUTHORIZED', 'This user was removed.');
    return showPerson(user, { loginId: caller.loginId, touchEnds: touchEnds(caller) });
  }),
});

/** @param login.touchEnds until when the last touch vouches for the person, in milliseconds since the epoch; 0 for none */
export function showPerson(
  user: UserRow,
  login: { readonly loginId: string | undefined; readonly touchEnds: number },
): CurrentUser {
  const role = Role.parse(user.role);
  return compact({
    did: user.did,
    email: user.email,
    role,
    permissions: named(permissionsOf(role)),
    tenantId: user.tenant_id,
    userId: user.id,
    name: user.name ?? undefined,
    loginId: login.loginId,
    touchedUntil: isoTime(login.touchEnds || null),
  });
}

function named(permissions: ReadonlySet<Permission>): Permission[] {
  return PERMISSIONS.filter((each) => permissions.has(each));
}

export const logout = useCase({
  summary: 'Ends the caller’s login and its tokens at once. Other credentials have no login to end.',
  input: Nothing,
  output: z.undefined(),
  permission: 'self',
  run: inOneCommit<z.output<typeof Nothing>, undefined>(function* (deps, caller, _input, { now }) {
    if (caller.loginId === undefined) return undefined;
    yield* endLogin(caller.tenantId, caller.loginId, now);
    yield* recordAdminEvent(deps, caller, 'LOGIN_ENDED', { loginId: caller.loginId }, now);
    return undefined;
  }),
});
