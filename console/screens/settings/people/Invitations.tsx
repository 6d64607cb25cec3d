/** Invitations that are open, and the form that makes another one. The link is shown once, to the user who made it. */
import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../../../../client/operations.ts';
import { runsWith } from '../../../node/here.ts';
import { node } from '../../../node/node.ts';
import { Button } from '../../../parts/Button.tsx';
import { Card } from '../../../parts/Card.tsx';
import { CopyText } from '../../../parts/CopyText.tsx';
import { Choice, Field } from '../../../parts/form/Field.tsx';
import { Form } from '../../../parts/form/Form.tsx';
import { isDesk } from '../../../parts/table/isDesk.ts';
import { Table, type TableColumn } from '../../../parts/table/Table.tsx';
import { say } from '../../../parts/toasts.ts';
import { When } from '../../../parts/values/When.tsx';
import { type GivenRole, ROLES, roleText } from '../roles.ts';

type Invitation = Operations['listInvitations']['output']['data'][number];

interface InvitationsProps {
  readonly invitations: readonly Invitation[];
  onDone(): void;
}

export function Invitations({ invitations, onDone }: InvitationsProps) {
  if (invitations.length === 0) return null;
  return (
    <Card title="Open invitations">
      {isDesk.value ? (
        <InvitationTable invitations={invitations} onDone={onDone} />
      ) : (
        <ul class="rows">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} onDone={onDone} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function InvitationTable({ invitations, onDone }: InvitationsProps) {
  const columns: readonly TableColumn<Invitation>[] = [
    {
      name: 'Name',
      cell: ({ name }) => (name === undefined ? <span class="quiet">Unnamed</span> : <bdi title={name}>{name}</bdi>),
    },
    { name: 'Role', width: 12, cell: ({ role }) => roleText(role) },
    { name: 'Open until', width: 12, cell: ({ expiresAt }) => <When time={expiresAt} inLink /> },
    {
      name: '',
      width: 6.5,
      isEnd: true,
      cell: (invitation) => <RevokeInvitation invitation={invitation} onDone={onDone} />,
    },
  ];
  return (
    <Table
      label={invitations.length === 1 ? '1 invitation' : `${invitations.length} invitations`}
      columns={columns}
      items={invitations}
      keyOf={({ id }) => id}
    />
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  onDone(): void;
}

function InvitationRow({ invitation, onDone }: InvitationRowProps) {
  const { name, role, expiresAt } = invitation;
  const as = roleText(role);
  return (
    <li class="row">
      <span class="row-main">
        <bdi>{name ?? as}</bdi>
        <span class="quiet">
          {name !== undefined && `${as} · `}open until <When time={expiresAt} inLink />
        </span>
      </span>
      <RevokeInvitation invitation={invitation} onDone={onDone} />
    </li>
  );
}

function RevokeInvitation({ invitation: { id, name, role }, onDone }: InvitationRowProps) {
  const revoke = async () => {
    await node.revokeInvitation({ id });
    say('That link no longer works.');
    onDone();
  };
  const of = name ?? `a person as ${roleText(role)}`;
  return (
    <Button kind="risky" label={`Revoke the invitation of ${of}`} onClick={revoke}>
      Revoke
    </Button>
  );
}

interface InviteProps {
  onMade(): void;
  onClose(): void;
}

export function Invite({ onMade, onClose }: InviteProps) {
  const [role, setRole] = useState<GivenRole>('VIEWER');
  const [name, setName] = useState('');
  const [mail, setMail] = useState('');
  const sendsMail = useSendsMail();
  const [url, setUrl] = useState<string>();
  const invite = async () => {
    const called = name.trim();
    const invitee = { role, ...(called === '' ? {} : { name: called }) };
    if (mail.trim() === '') {
      setUrl((await node.createInvitation(invitee)).url);
    } else {
      await node.mailInvitation({ ...invitee, mail: mail.trim() });
      say(`Sent to ${mail.trim()}. The link works once, within 24 hours.`);
      onClose();
    }
    onMade();
  };
  if (url !== undefined) {
    return <MadeLink url={url} onClose={onClose} />;
  }
  return (
    <Form act={mail.trim() === '' ? 'Create link' : 'Send the invitation'} onSubmit={invite} onLeave={onClose}>
      <Field
        label="Name"
        name="name"
        value={name}
        onInput={setName}
        hint="Optional."
        input={{ maxLength: 100, autoComplete: 'off' }}
      />
      <Choice
        label="Role"
        name="role"
        value={role}
        options={ROLES}
        onChange={(chosen) => setRole(chosen as GivenRole)}
      />
      {sendsMail && (
        <Field
          label="E-mail"
          name="mail"
          value={mail}
          onInput={setMail}
          hint="Optional: the link is sent there, and shown to you otherwise."
          input={{ type: 'email', maxLength: 254, autoComplete: 'off' }}
        />
      )}
    </Form>
  );
}

function MadeLink({ url, onClose }: { readonly url: string; onClose(): void }) {
  return (
    <>
      <p>This link is shown once. It works once, within 24 hours. Give it only to the person whom you invite.</p>
      <CopyText name="invitation" text={url} />
      <div class="buttons">
        <Button kind="first" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}

/** Whether the node has a mail server. */
function useSendsMail(): boolean {
  const [sendsMail, setSendsMail] = useState(false);
  useEffect(() => {
    if (!runsWith('notices')) return;
    const show = (shown: Operations['showNotifications']['output']) => setSendsMail(shown.sendsMail);
    void node.showNotifications({}).then(show, () => undefined);
  }, []);
  return sendsMail;
}
