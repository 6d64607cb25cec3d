/** Invitations: links by which a person becomes a user, or a user who lost every passkey gets back in. */

import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import type { Caller } from '../../access/caller.ts';
import { GivenRole } from '../../access/role.ts';
import { removal } from '../../domain/evidence/removal.ts';
import {
  DAY_SECONDS,
  Invitation,
  type Invitee,
  invite,
  NewInvitation,
  PersonName,
  showInvitation,
} from '../../domain/people/invite.ts';
import { requireOwner } from '../../domain/people/requireOwner.ts';
import { tellPerson } from '../../domain/people/tellPerson.ts';
import {
  findInvitation,
  type InvitationRow,
  listInvitations as selectInvitations,
  withdrawInvitation,
  withdrawInvitationsOf,
} from '../../store/statements/people/invitations.ts';
import { findUser } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const CreateInvitation = z
  .strictObject({
    role: GivenRole.optional().describe('What they may do; VIEWER where it is not given.'),
    name: PersonName.optional().describe('What to call them; they may choose another name.'),
    userId: z.string().max(100).optional().describe('A user who is to get a new passkey, and keeps their role.'),
    ttlSeconds: z
      .int()
      .min(60)
      .max(7 * DAY_SECONDS)
      .default(DAY_SECONDS)
      .describe('How long the link works.'),
  })
  .refine(
    ({ role, userId }) => role === undefined || userId === undefined,
    'A user who is named keeps their role; leave the member role out.',
  );

export const createInvitation = useCase({
  summary:
    'Invites a person to become a user, or a user back in, who is told: a link that makes one passkey. Only this answer shows it. No key invites a user back, and one that a key or a person made invites no person.',
  input: CreateInvitation,
  output: NewInvitation,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  secretAnswer: true,
  run: inOneCommit<z.output<typeof CreateInvitation>, NewInvitation>(function* (
    deps: EventDeps & Pick<Deps, 'hashToken' | 'newToken' | 'operations'>,
    caller,
    input,
    { now },
  ) {
    const { userId, ttlSeconds } = input;
    yield* requireOwner(caller, 'invites people');
    if (userId !== undefined) requireNoKey(caller);
    const invited = yield* whomOf(deps, caller.tenantId, input);
    const invitation = yield* invite(deps, caller, { ...invited, ttlSeconds }, now);
    if (userId !== undefined) {
      const notice = { type: 'notice.passkey_link', expiresAt: invitation.expiresAt } as const;
      yield* tellPerson(deps, { tenantId: caller.tenantId, userId }, notice, now);
    }
    return invitation;
  }),
});

/**
 * A link for a user makes its reader that user.
 * @throws Fault FORBIDDEN for any key
 */
function requireNoKey({ kind }: Caller): void {
  if (kind !== 'apiKey') return;
  const remedy =
    'an OWNER does in the console (Settings, People), or "countersign user invite --user ID" on the data folder';
  throw new Fault('FORBIDDEN', `No key makes a link for a user; ${remedy}.`);
}

/** @throws Fault NOT_FOUND, CONFLICT for a user who was removed */
function* whomOf(
  deps: Pick<Deps, 'newId'>,
  tenantId: string,
  input: z.output<typeof CreateInvitation>,
): Script<Invitee> {
  const { userId, role = 'VIEWER', name } = input;
  if (userId === undefined) return { userId: deps.newId('usr_'), role, name };
  const user = yield* findUser(tenantId, userId);
  if (user === undefined) throw new Fault('NOT_FOUND', `There is no user ${userId}.`);
  const known = GivenRole.safeParse(user.role);
  if (user.removed_at !== null || !known.success) {
    throw new Fault('CONFLICT', 'This user is out; give them a role first (PUT /ap2/admin/users/:id).');
  }
  // A link that was made before and lost is worth nothing any more.
  yield* withdrawInvitationsOf(tenantId, userId);
  return { userId, role: known.data, name: name ?? user.name ?? undefined };
}

export const listInvitations = listing({
  summary: 'Lists invitations that were not used yet, newest first.',
  input: PageRequest,
  item: Invitation,
  permission: 'admin',
  order: byId,
  select: ({ tenantId }, _input, before, limit, now) => selectInvitations(tenantId, before, limit, now),
  show: showInvitation,
});

export const revokeInvitation = removal({
  summary: 'Withdraws an invitation; its link leads nowhere from then on.',
  noun: 'invitation',
  find: findInvitation,
  remove: withdrawInvitation,
  eventType: 'INVITATION_WITHDRAWN',
  facts: (row: InvitationRow) => compact({ invitationId: row.id, userId: row.user_id, role: row.role }),
});
