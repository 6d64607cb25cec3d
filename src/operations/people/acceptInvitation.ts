/** The other end of an invitation: what its page shows, and the passkey that makes a person a user. */

import { z } from 'zod';
import { RegistrationCredential, RegistrationOptions } from '../../../protocol/passkey.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { GivenRole } from '../../access/role.ts';
import { letIn, type OpenLogin, personAsCaller, Tokens, tokensOf } from '../../domain/access/startLogin.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import {
  checkMade,
  keepPasskey,
  type MadePasskey,
  openRegistration,
} from '../../domain/passkeys/passkeyRegistration.ts';
import { PersonName } from '../../domain/people/invite.ts';
import {
  findInvitationByHash,
  type InvitationRow,
  markInvitationUsed,
} from '../../store/statements/people/invitations.ts';
import type { Holder } from '../../store/statements/people/passkeys.ts';
import { BY_PASSKEY, findUser, insertUser, type UserRow } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { nodeCaller } from '../../usecase/nodeCaller.ts';
import { openOperation } from '../../usecase/openOperation.ts';

const Token = z.string().min(1).max(200);

export const ViewInvitation = z.object({ token: Token });
export const BeginAcceptance = z.object({ token: Token, name: PersonName });
export const CompleteAcceptance = z.object({ token: Token, name: PersonName, credential: RegistrationCredential });

export const InvitationView = z.object({
  role: GivenRole,
  name: z.string().optional().describe('What the inviter calls them.'),
  expiresAt: z.string(),
});
export type InvitationView = z.infer<typeof InvitationView>;

export const viewInvitation = openOperation({
  summary: 'Shows what the page of an invitation shows.',
  input: ViewInvitation,
  output: InvitationView,
  run: view,
});

export const beginAcceptance = openOperation({
  summary: 'Begins the registration of the passkey that makes a person a user.',
  input: BeginAcceptance,
  output: RegistrationOptions,
  run: begin,
});

export const completeAcceptance = openOperation({
  summary: 'Uses an invitation up, makes the user and the passkey, and lets them in.',
  input: CompleteAcceptance.extend({ device: z.string().optional() }),
  output: Tokens,
  run: complete,
});

/** @throws Fault NOT_FOUND when the link is unknown, used, withdrawn or expired */
function view(
  deps: Pick<Deps, 'hashToken' | 'store'>,
  { token }: z.output<typeof ViewInvitation>,
): Promise<InvitationView> {
  return deps.store.read(function* (now) {
    const { role, name, expires_at: expiresAt } = yield* loadInvitation(deps, token, now);
    return compact({ role: GivenRole.parse(role), name: name ?? undefined, expiresAt: isoTime(expiresAt) });
  });
}

/** @throws Fault NOT_FOUND as viewInvitation */
async function begin(
  deps: Pick<Deps, 'hashToken' | 'newId' | 'newToken' | 'people' | 'settings' | 'store' | 'suite'>,
  { token, name }: z.output<typeof BeginAcceptance>,
): Promise<RegistrationOptions> {
  const { tenant_id: tenantId } = await deps.store.read((now) => loadInvitation(deps, token, now));
  return deps.store.write(tenantId, function* (now) {
    const invitation = yield* loadInvitation(deps, token, now);
    const facts = { tenantId, holder: holderOf(deps, invitation), deviceName: FIRST_NAME, subjectId: invitation.id };
    return yield* openRegistration(deps, { ...facts, accountName: name }, now);
  });
}

/** What a passkey is called until its owner calls it something else. */
const FIRST_NAME = 'First passkey';

/**
 * Uses the link up, makes the user and the passkey, and lets them in: all of it or nothing.
 * @throws Fault NOT_FOUND as viewInvitation, BAD_REQUEST when the ceremony failed, CONFLICT when another was faster
 */
async function complete(
  deps: Deps,
  { token, name, credential, device }: z.output<typeof CompleteAcceptance> & { readonly device?: string | undefined },
): Promise<Tokens> {
  const invitation = await deps.store.read((now) => loadInvitation(deps, token, now));
  const { tenant_id: tenantId, id: subjectId } = invitation;
  const made = await checkMade(deps, { tenantId, holder: holderOf(deps, invitation), subjectId }, credential);
  const standing = await deps.store.write(tenantId, function* (now) {
    const current = yield* loadInvitation(deps, token, now);
    if (!(yield* markInvitationUsed(current.id, now))) throw gone();
    return yield* enter(deps, current, { name, made, device }, now);
  });
  if (standing instanceof Fault) throw standing;
  return tokensOf(deps, standing);
}

function* enter(
  deps: EventDeps & Pick<Deps, 'hashToken' | 'newToken' | 'operations' | 'people'>,
  invitation: InvitationRow,
  given: { readonly name: string; readonly made: MadePasskey; readonly device: string | undefined },
  now: number,
): Script<OpenLogin | Fault> {
  const known = yield* findUser(invitation.tenant_id, invitation.user_id);
  const user = known ?? (yield* addUser(deps, invitation, given.name, now));
  const holder = holderOf(deps, invitation);
  const more = { invitationId: invitation.id };
  const { credential_id: touchedWith } = yield* keepPasskey(
    deps,
    { holder, caller: personAsCaller(user) },
    given.made,
    more,
    now,
  );
  return yield* letIn(deps, user, { way: 'passkey', device: given.device, touchedWith }, now);
}

function* addUser(
  deps: EventDeps & Pick<Deps, 'people'>,
  invitation: InvitationRow,
  name: string,
  now: number,
): Script<UserRow> {
  const { tenant_id: tenantId, user_id: id, role } = invitation;
  const user: UserRow = {
    id,
    tenant_id: tenantId,
    issuer: BY_PASSKEY,
    subject: id,
    did: deps.people.didOf(id),
    email: null,
    role,
    created_at: now,
    last_login_at: now,
    removed_at: null,
    name,
  };
  yield* insertUser(user);
  const data = { userId: id, role, name, invitationId: invitation.id };
  yield* recordAdminEvent(deps, nodeCaller(deps, tenantId), 'USER_ADDED', data, now);
  return user;
}

function holderOf(deps: Pick<Deps, 'people'>, { user_id: userId }: InvitationRow): Holder {
  return { kind: 'user', did: deps.people.didOf(userId) };
}

function* loadInvitation(deps: Pick<Deps, 'hashToken'>, token: string, now: number): Script<InvitationRow> {
  const invitation = yield* findInvitationByHash(deps.hashToken(token));
  if (invitation === undefined || invitation.used_at !== null || invitation.expires_at <= now) throw gone();
  return invitation;
}

function gone(): Fault {
  return new Fault('NOT_FOUND', 'This link was used or has expired; ask for a new one (countersign user invite).');
}
