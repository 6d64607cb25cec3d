/** Invites a person by mail: the link goes to the mailbox alone, and who invites does not see it. */
import { z } from 'zod';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Caller } from '../../../access/caller.ts';
import { GivenRole } from '../../../access/role.ts';
import { recordAdminEvent } from '../../../domain/evidence/recordEvent.ts';
import { Invitation, invite, type NewInvitation, PersonName } from '../../../domain/people/invite.ts';
import { requireOwner } from '../../../domain/people/requireOwner.ts';
import { withdrawInvitation } from '../../../store/statements/people/invitations.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { inSteps, useCase } from '../../../usecase/useCase.ts';
import { email } from '../channels/email.ts';
import type { MailReply } from '../mail/mailer.ts';
import { type NoticeServices, servicesOf } from '../noticeServices.ts';

const MailInvitation = z.strictObject({
  mail: email.input.shape.address.describe('Where the link is sent.'),
  role: GivenRole.optional().describe('What they may do; VIEWER where it is not given.'),
  name: PersonName.optional().describe('What to call them; they may choose another name.'),
});
type MailInvitation = z.output<typeof MailInvitation>;

export const mailInvitation = useCase({
  summary: 'Invites a person by mail: the link that makes their passkey goes to the mailbox alone.',
  input: MailInvitation,
  output: Invitation,
  permission: 'admin',
  stepUp: true,
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inSteps<MailInvitation, Invitation>(async (deps, caller, { mail, role = 'VIEWER', name }) => {
    const services = { settings: deps.settings, ...servicesOf(deps) };
    const { mailer } = services;
    // The channel says what the node lacks.
    email.keep(services, { kind: 'email', address: mail });
    const { url, ...invitation } = await deps.store.write(caller.tenantId, function* (now) {
      yield* requireOwner(caller, 'invites people');
      return yield* invite(deps, caller, { userId: deps.newId('usr_'), role, name }, now);
    });
    const reply = await mailer?.send(letter(services, mail, { url, ...invitation }));
    if (reply?.code === 250) return invitation;
    await withdraw(deps, caller, invitation);
    throw new Fault('CONFLICT', `The mail was not taken (${reasonOf(reply)}), and the invitation is withdrawn.`);
  }),
});

type MailDeps = Pick<Deps, 'settings'> & NoticeServices;

function letter(deps: MailDeps, address: string, { id, name, role, url, expiresAt }: NewInvitation) {
  const { hostname } = new URL(deps.settings.baseUrl);
  const greeting = name === undefined ? '' : `${name}, `;
  return email.compose(
    deps,
    { kind: 'email', name: '', details: true, url: 'mailto:', address },
    {
      id,
      title: `You are invited to Countersign at ${hostname}`,
      body: `${greeting}you are to help there as ${role.toLowerCase()}. The link makes your passkey. It works once, until ${expiresAt}.`,
      link: url,
      act: 'Accept the invitation',
      path: '',
      tag: id,
    },
  );
}

/** A link that reached no mailbox is worth nothing. */
async function withdraw(deps: Deps, caller: Caller, { id, userId, role }: Invitation): Promise<void> {
  await deps.store.write(caller.tenantId, function* (now) {
    if (!(yield* withdrawInvitation(caller.tenantId, id))) return;
    yield* recordAdminEvent(deps, caller, 'INVITATION_WITHDRAWN', compact({ invitationId: id, userId, role }), now);
  });
}

function reasonOf(reply: MailReply | undefined): string {
  if (reply === undefined) return 'no server';
  return reply.code > 0 ? `the server said ${reply.code}` : (reply.failure ?? 'no answer');
}
