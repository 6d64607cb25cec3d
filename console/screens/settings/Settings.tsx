/** Who one is here, by which passkeys and devices, who else is, and which node this is. */

import { login, logOut } from '../../login/login.ts';
import { isOwner, may } from '../../login/may.ts';
import { NODE_DID, NODE_VERSION } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { ownEndpoint } from '../../notices/thisBrowser.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Did } from '../../parts/values/Did.tsx';
import { Invitations } from './Invitations.tsx';
import { Logins } from './Logins.tsx';
import { Notices } from './Notices.tsx';
import { OwnPasskeys } from './OwnPasskeys.tsx';
import { People } from './People.tsx';

const MOST = 200;

export function Settings() {
  const found = useLoaded('settings', load, ['user', 'login', 'hp', 'notices']);
  return (
    <>
      <h1>Settings</h1>
      <Shown of={found} rows={4} height={8}>
        {({ passkeys, logins, users, invitations, notices, here }) => (
          <div class="stack narrow">
            <You />
            <OwnPasskeys passkeys={passkeys} onDone={found.reload} />
            <Logins logins={logins} onDone={found.reload} />
            <Notices {...notices} here={here} onDone={found.reload} />
            {users !== undefined && <People users={users} onDone={found.reload} />}
            {invitations !== undefined && <Invitations invitations={invitations} onDone={found.reload} />}
            <ThisNode />
          </div>
        )}
      </Shown>
    </>
  );
}

/** Together, since what comes later would move what is there; and no more than the person may see. */
async function load(signal: AbortSignal) {
  const page = { limit: MOST };
  const [passkeys, logins, users, invitations, notices, here] = await Promise.all([
    node.listOwnPasskeys(page, { signal }),
    node.listLogins(page, { signal }),
    may('admin') ? node.listUsers(page, { signal }) : undefined,
    isOwner() ? node.listInvitations(page, { signal }) : undefined,
    node.showNotices({}, { signal }),
    ownEndpoint(),
  ]);
  const people = { users: users?.data, invitations: invitations?.data };
  return { passkeys: passkeys.data, logins: logins.data, ...people, notices, here };
}

function You() {
  const state = login.value;
  if (state.at !== 'in') return null;
  const { name, email, role } = state.me;
  return (
    <Card title="You">
      <dl class="facts">
        {name !== undefined && (
          <Fact name="Name">
            <bdi>{name}</bdi>
          </Fact>
        )}
        {email !== null && (
          <Fact name="E-mail">
            <bdi>{email}</bdi>
          </Fact>
        )}
        <Fact name="Role">{role}</Fact>
      </dl>
      <div class="buttons">
        <Button onClick={logOut}>Log out</Button>
      </div>
    </Card>
  );
}

function ThisNode() {
  return (
    <Card title="This node">
      <dl class="facts">
        <Fact name="Issuer">
          <Did did={NODE_DID} />
        </Fact>
        <Fact name="Version">{NODE_VERSION}</Fact>
      </dl>
      <p class="quiet">
        What programs can ask of it is in <a href="../docs">its documents</a>.
      </p>
    </Card>
  );
}
