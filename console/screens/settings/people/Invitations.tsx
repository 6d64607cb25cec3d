/** Invitations that are open, and another one. The link is shown once, to the user who made it. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../../client/operations.ts';
import { node } from '../../../node/node.ts';
import { Button } from '../../../parts/Button.tsx';
import { Card } from '../../../parts/Card.tsx';
import { CopyText } from '../../../parts/CopyText.tsx';
import { Choice, Field } from '../../../parts/form/Field.tsx';
import { Form } from '../../../parts/form/Form.tsx';
import { say } from '../../../parts/toasts.ts';
import { When } from '../../../parts/values/When.tsx';
import { type GivenRole, ROLES, roleText } from '../roles.ts';

type Invitation = Operations['listInvitations']['output']['data'][number];

interface InvitationsProps {
  readonly invitations: readonly Invitation[];
  onDone(): void;
}

export function Invitations({ invitations, onDone }: InvitationsProps) {
  return (
    <Card title="Invitations">
      <ul class="rows">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onDone={onDone} />
        ))}
      </ul>
      <Invite onDone={onDone} />
    </Card>
  );
}

function InvitationRow({ invitation, onDone }: { readonly invitation: Invitation; onDone(): void }) {
  const { id, name, role, expiresAt } = invitation;
  const as = roleText(role);
  const revoke = async () => {
    await node.revokeInvitation({ id });
    say('That link no longer works.');
    onDone();
  };
  return (
    <li class="row">
      <span class="row-main">
        <bdi>{name ?? as}</bdi>
        <span class="quiet">
          {name !== undefined && `${as} · `}open until <When time={expiresAt} inLink />
        </span>
      </span>
      <Button kind="plain" label={`Take back the invitation of ${name ?? `a person as ${as}`}`} onClick={revoke}>
        Take back
      </Button>
    </li>
  );
}

function Invite({ onDone }: { onDone(): void }) {
  const [role, setRole] = useState<GivenRole>('VIEWER');
  const [name, setName] = useState('');
  const [url, setUrl] = useState<string>();
  const invite = async () => {
    const called = name.trim();
    const made = await node.createInvitation({ role, ...(called === '' ? {} : { name: called }) });
    setUrl(made.url);
    setName('');
    onDone();
  };
  return (
    <>
      {url !== undefined && (
        <>
          <p class="quiet">It is shown this once, serves once, and for 24 hours. Give it to that person only.</p>
          <CopyText name="invitation" text={url} />
        </>
      )}
      <Form act="Create link" kind="second" onSubmit={invite}>
        <Field
          label="Invite"
          name="name"
          value={name}
          onInput={setName}
          hint="Their name, if you like."
          input={{ maxLength: 100, autoComplete: 'off' }}
        />
        <Choice
          label="As"
          name="role"
          value={role}
          options={ROLES}
          onChange={(chosen) => setRole(chosen as GivenRole)}
        />
      </Form>
    </>
  );
}
