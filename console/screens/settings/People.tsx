/** Who may look and decide here, by which role. An OWNER changes roles. */
import type { Operations } from '../../../client/operations.ts';
import { login } from '../../login/login.ts';
import { isOwner } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { say, sayTrouble } from '../../parts/toasts.ts';
import { When } from '../../parts/values/When.tsx';

type User = Operations['listUsers']['output']['data'][number];
type Role = Operations['setUserRole']['input']['role'];

const ROLES: readonly (readonly [Role, string])[] = [
  ['OWNER', 'Owner'],
  ['ADMIN', 'Admin'],
  ['MEMBER', 'Member'],
  ['VIEWER', 'Viewer'],
];
const MOST = 200;

export function People() {
  const load = async (signal: AbortSignal) => (await node.listUsers({ limit: MOST }, { signal })).data;
  const people = useLoaded('people', load, ['user']);
  return (
    <Card title="People">
      <Shown of={people} rows={2}>
        {(found) => (
          <ul class="rows">
            {found
              .filter(({ removedAt }) => removedAt === undefined)
              .map((user) => (
                <PersonRow key={user.id} user={user} onDone={people.reload} />
              ))}
          </ul>
        )}
      </Shown>
    </Card>
  );
}

interface PersonRowProps {
  readonly user: User;
  onDone(): void;
}

function PersonRow({ user, onDone }: PersonRowProps) {
  const { id, did, lastLoginAt } = user;
  const state = login.value;
  const isMe = state.at === 'in' && state.me.did === did;
  const name = user.name ?? user.email ?? `…${did.slice(-8)}`;
  const give = async (role: Role) => {
    await node.setUserRole({ id, role });
    say(`${name} is ${role} now.`);
  };
  const remove = async () => {
    await node.removeUser({ id });
    say(`${name} is out, with all their keys.`);
    onDone();
  };
  return (
    <li class="row person">
      <span class="row-main">
        <bdi>{name}</bdi>
        <span class="quiet">
          {isMe ? 'you · ' : ''}last here <When time={lastLoginAt} inLink />
        </span>
      </span>
      {isOwner() && !isMe ? (
        <span class="person-acts">
          <select
            aria-label={`Role of ${name}`}
            value={user.role}
            onChange={(event) => {
              give(event.currentTarget.value as Role)
                .catch(sayTrouble)
                .finally(onDone);
            }}
          >
            {ROLES.map(([role, text]) => (
              <option key={role} value={role}>
                {text}
              </option>
            ))}
          </select>
          <Button kind="plain" label={`Remove ${name}`} onClick={remove}>
            Remove
          </Button>
        </span>
      ) : (
        <span class="quiet">{user.role}</span>
      )}
    </li>
  );
}
