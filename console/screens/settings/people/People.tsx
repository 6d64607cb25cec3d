/** Who may look and decide here, by which role. An OWNER changes roles, and makes a way back in. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../../client/operations.ts';
import { login } from '../../../login/login.ts';
import { isOwner } from '../../../login/may.ts';
import { node } from '../../../node/node.ts';
import { Button } from '../../../parts/Button.tsx';
import { Card } from '../../../parts/Card.tsx';
import { CopyText } from '../../../parts/CopyText.tsx';
import { RiskyButton } from '../../../parts/RiskyButton.tsx';
import { SheetButton } from '../../../parts/SheetButton.tsx';
import { isDesk } from '../../../parts/table/isDesk.ts';
import { Table, type TableColumn } from '../../../parts/table/Table.tsx';
import { say, sayTrouble } from '../../../parts/toasts.ts';
import { When } from '../../../parts/values/When.tsx';
import { type GivenRole, ROLES, roleText } from '../roles.ts';
import { PersonAccess } from './PersonAccess.tsx';
import { RemovePerson } from './RemovePerson.tsx';

type User = Operations['listUsers']['output']['data'][number];

interface PeopleProps {
  readonly users: readonly User[];
  onDone(): void;
}

export function People({ users, onDone }: PeopleProps) {
  const here = users.filter(({ removedAt }) => removedAt === undefined);
  return (
    <Card title="People">
      {isDesk.value ? (
        <PersonTable users={here} onDone={onDone} />
      ) : (
        <ul class="rows">
          {here.map((user) => (
            <PersonRow key={user.id} user={user} onDone={onDone} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function PersonTable({ users, onDone }: PeopleProps) {
  const [made, setMade] = useState<{ readonly user: User; readonly url: string }>();
  const columns: readonly TableColumn<User>[] = [
    {
      name: 'Name',
      cell: (user) => (
        <bdi title={nameOf(user)}>
          {nameOf(user)}
          {isMe(user) && ' (you)'}
        </bdi>
      ),
    },
    { name: 'E-mail', cell: ({ email }) => <bdi title={email ?? ''}>{email}</bdi> },
    { name: 'Last here', width: 8, cell: ({ lastLoginAt }) => <When time={lastLoginAt} inLink /> },
    {
      name: 'Role',
      width: isOwner() ? 32 : 9,
      isEnd: true,
      cell: (user) => <Role user={user} onDone={onDone} onLink={(url) => setMade({ user, url })} />,
    },
  ];
  return (
    <>
      <Table
        label={users.length === 1 ? '1 person' : `${users.length} people`}
        columns={columns}
        items={users}
        keyOf={({ id }) => id}
      />
      {made !== undefined && <MadeLink of={nameOf(made.user)} url={made.url} />}
    </>
  );
}

interface PersonRowProps {
  readonly user: User;
  onDone(): void;
}

function PersonRow({ user, onDone }: PersonRowProps) {
  const [link, setLink] = useState<string>();
  return (
    <li class="row person">
      <span class="row-main">
        <bdi>{nameOf(user)}</bdi>
        <span class="quiet">
          {isMe(user) ? 'you · ' : ''}last here <When time={user.lastLoginAt} inLink />
        </span>
      </span>
      <Role user={user} onDone={onDone} onLink={setLink} />
      {link !== undefined && <MadeLink of={nameOf(user)} url={link} />}
    </li>
  );
}

function MadeLink({ of, url }: { readonly of: string; readonly url: string }) {
  return (
    <div>
      <p class="quiet">This link is shown once. It works once, within 24 hours. Give it to {of} only.</p>
      <CopyText name={`link for ${of}`} text={url} />
    </div>
  );
}

function isMe({ did }: User): boolean {
  const state = login.value;
  return state.at === 'in' && state.me.did === did;
}

function Role(props: PersonRowProps & { onLink(url: string): void }) {
  const { user } = props;
  return isOwner() && !isMe(user) ? <PersonActs {...props} /> : <span class="quiet">{roleText(user.role)}</span>;
}

function nameOf({ name, email, did }: User): string {
  return name ?? email ?? `…${did.slice(-8)}`;
}

function PersonActs({ user, onDone, onLink }: PersonRowProps & { onLink(url: string): void }) {
  const { id, role } = user;
  const name = nameOf(user);
  const [removing, setRemoving] = useState(false);
  const give = async (given: GivenRole) => {
    await node.setUserRole({ id, role: given });
    say(`The role of ${name} is ${roleText(given)} now.`);
  };
  const letBackIn = async () => onLink((await node.createInvitation({ userId: id })).url);
  return (
    <span class="person-acts">
      <select
        aria-label={`Role of ${name}`}
        value={role}
        onChange={(event) => {
          // What was chosen is shown as it stands afterwards, also where it was refused.
          give(event.currentTarget.value as GivenRole)
            .catch(sayTrouble)
            .finally(onDone);
        }}
      >
        {role === 'PENDING' && <option value={role}>{roleText(role)}</option>}
        {ROLES.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      {role !== 'PENDING' && (
        <RiskyButton act="New passkey" of={name} isLoss={false} onConfirm={letBackIn}>
          The link that is made adds a passkey to this account: for a person who has lost theirs. Who opens it acts as
          them, so make sure that it is they who ask. They are notified.
        </RiskyButton>
      )}
      <SheetButton act="Access" title={`How ${name} signs in`}>
        {() => <PersonAccess id={id} name={name} />}
      </SheetButton>
      <Button kind="risky" label={`Remove ${name}`} onClick={() => setRemoving(true)}>
        Remove
      </Button>
      {removing && <RemovePerson id={id} name={name} onClose={() => setRemoving(false)} onDone={onDone} />}
    </span>
  );
}
