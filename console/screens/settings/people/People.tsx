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
import { say, sayTrouble } from '../../../parts/toasts.ts';
import { When } from '../../../parts/values/When.tsx';
import { type GivenRole, ROLES, roleText } from '../roles.ts';
import { RemovePerson } from './RemovePerson.tsx';

type User = Operations['listUsers']['output']['data'][number];

interface PeopleProps {
  readonly users: readonly User[];
  onDone(): void;
}

export function People({ users, onDone }: PeopleProps) {
  return (
    <Card title="People">
      <ul class="rows">
        {users
          .filter(({ removedAt }) => removedAt === undefined)
          .map((user) => (
            <PersonRow key={user.id} user={user} onDone={onDone} />
          ))}
      </ul>
    </Card>
  );
}

interface PersonRowProps {
  readonly user: User;
  onDone(): void;
}

function PersonRow({ user, onDone }: PersonRowProps) {
  const [link, setLink] = useState<string>();
  const state = login.value;
  const isMe = state.at === 'in' && state.me.did === user.did;
  return (
    <li class="row person">
      <span class="row-main">
        <bdi>{nameOf(user)}</bdi>
        <span class="quiet">
          {isMe ? 'you · ' : ''}last here <When time={user.lastLoginAt} inLink />
        </span>
      </span>
      {isOwner() && !isMe ? (
        <PersonActs user={user} onDone={onDone} onLink={setLink} />
      ) : (
        <span class="quiet">{roleText(user.role)}</span>
      )}
      {link !== undefined && (
        <div>
          <p class="quiet">It is shown this once, serves once, and for 24 hours. Give it to {nameOf(user)} only.</p>
          <CopyText name={`link for ${nameOf(user)}`} text={link} />
        </div>
      )}
    </li>
  );
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
        <RiskyButton act="New passkey" of={name} onConfirm={letBackIn}>
          The link that is made adds a passkey to this account: for a person who has lost theirs. Who opens it acts as
          them, so make sure that it is they who ask. They are told of it.
        </RiskyButton>
      )}
      <Button kind="plain" label={`Remove ${name}`} onClick={() => setRemoving(true)}>
        Remove
      </Button>
      {removing && <RemovePerson id={id} name={name} onClose={() => setRemoving(false)} onDone={onDone} />}
    </span>
  );
}
