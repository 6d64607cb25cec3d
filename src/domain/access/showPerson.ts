/** A person who has logged in, as they see themselves. */
import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { PERMISSIONS, type Permission } from '../../access/caller.ts';
import { permissionsOf, Role } from '../../access/role.ts';
import type { UserRow } from '../../store/statements/people/users.ts';

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
    permissions: permissionNames(permissionsOf(role)),
    tenantId: user.tenant_id,
    userId: user.id,
    name: user.name ?? undefined,
    loginId: login.loginId,
    touchedUntil: isoTime(login.touchEnds || null),
  });
}

export function permissionNames(permissions: ReadonlySet<Permission>): Permission[] {
  return PERMISSIONS.filter((each) => permissions.has(each));
}
