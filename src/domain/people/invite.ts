/** Makes the link of an invitation, and records who made it. */

import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { visibleName } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { GivenRole } from '../../access/role.ts';
import { type InvitationRow, insertInvitation } from '../../store/statements/people/invitations.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';

export const DAY_SECONDS = 24 * 3600;

export const PersonName = visibleName(100);

export const Invitation = z.object({
  id: z.string(),
  role: GivenRole,
  name: z.string().optional(),
  userId: z.string().describe('Who they will be, or are.'),
  createdAt: z.string(),
  expiresAt: z.string(),
});

export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = Invitation.extend({
  url: z
    .string()
    .describe('Opens the page that makes the passkey, once. It is shown this once; treat it as a password.'),
});

export type NewInvitation = z.infer<typeof NewInvitation>;

/** Whom an invitation is for. */
export interface Invitee {
  readonly userId: string;
  readonly role: Invitation['role'];
  readonly name: string | undefined;
}

/** Makes the link and records who made it. */
export function* invite(
  deps: EventDeps & Pick<Deps, 'hashToken' | 'newToken'>,
  caller: Caller,
  { userId, role, name, ttlSeconds = DAY_SECONDS }: Invitee & { readonly ttlSeconds?: number },
  now: number,
): Script<NewInvitation> {
  const id = deps.newId('inv_');
  const token = deps.newToken('');
  const row = {
    id,
    tenant_id: caller.tenantId,
    token_hash: deps.hashToken(token),
    role,
    name: name ?? null,
    user_id: userId,
    created_at: now,
    expires_at: now + ttlSeconds * 1000,
  };
  yield* insertInvitation(row);
  const data = compact({ invitationId: id, userId, role, name, expiresAt: isoTime(row.expires_at) });
  yield* recordAdminEvent(deps, caller, 'INVITATION_CREATED', data, now);
  // After the #, so that no server and no log sees the token.
  return { ...showInvitation({ ...row, used_at: null }), url: `${deps.settings.baseUrl}/console/#/welcome/${token}` };
}

export function showInvitation(row: InvitationRow): Invitation {
  return compact({
    id: row.id,
    role: GivenRole.parse(row.role),
    name: row.name ?? undefined,
    userId: row.user_id,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
  });
}
