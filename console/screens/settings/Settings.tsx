/** Who one is here, and by which passkeys and devices. */
import { login } from '../../login/login.ts';
import { logOut } from '../../login/logOut.ts';
import { runsWith } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { ownEndpoint } from '../../notifications/thisBrowser.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { Logins } from './Logins.tsx';
import { Notifications } from './notifications/Notifications.tsx';
import { OwnPasskeys } from './OwnPasskeys.tsx';
import { roleText } from './roles.ts';

const MOST = 200;

export function Settings() {
  const found = useLoaded('settings', load, ['user', 'login', 'hp', 'notifications']);
  return (
    <SubPlaces of="/settings">
      <div class="split">
        <aside class="context">
          <You />
        </aside>
        <div class="stack">
          <Shown of={found} rows={3} height={11}>
            {({ passkeys, logins, notifications, here }) => (
              <>
                <OwnPasskeys passkeys={passkeys} onDone={found.reload} />
                <Logins logins={logins} onDone={found.reload} />
                {notifications !== undefined && <Notifications {...notifications} here={here} onDone={found.reload} />}
              </>
            )}
          </Shown>
        </div>
      </div>
    </SubPlaces>
  );
}

/** Together, since what comes later would move what is there. */
async function load(signal: AbortSignal) {
  const page = { limit: MOST };
  const [passkeys, logins, notifications, here] = await Promise.all([
    node.listOwnPasskeys(page, { signal }),
    node.listLogins(page, { signal }),
    runsWith('notices') ? node.showNotifications({}, { signal }) : undefined,
    ownEndpoint(),
  ]);
  return { passkeys: passkeys.data, logins: logins.data, notifications, here };
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
        <Fact name="Role">{roleText(role)}</Fact>
      </dl>
      <div class="buttons">
        <Button onClick={logOut}>Sign out</Button>
      </div>
    </Card>
  );
}
