/** By which passkeys a colleague signs in, and where they are: an OWNER removes one, or ends one login or all of them. */
import type { ComponentChildren } from 'preact';
import type { Operations } from '../../../../client/operations.ts';
import { node } from '../../../node/node.ts';
import { useLoaded } from '../../../node/useLoaded.ts';
import { RiskyButton } from '../../../parts/RiskyButton.tsx';
import { Shown } from '../../../parts/Shown.tsx';
import { say } from '../../../parts/toasts.ts';
import { When } from '../../../parts/values/When.tsx';
import { LoginRow } from '../Logins.tsx';

const MOST = 200;

interface PersonAccessProps {
  readonly id: string;
  readonly name: string;
}

export function PersonAccess({ id, name }: PersonAccessProps) {
  const found = useLoaded(`access ${id}`, (signal) => loadAccess(id, signal), ['user', 'hp', 'login']);
  const end = async () => {
    await node.endUserLogins({ id });
    say(`${name} is signed out everywhere.`);
    found.reload();
  };
  return (
    <>
      <Shown of={found} rows={1}>
        {({ passkeys, logins }) => (
          <>
            {passkeys.length === 0 && <p class="quiet">{name} has no passkey.</p>}
            <ul class="rows">
              {passkeys.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  onRemove={async () => {
                    await node.removeUserPasskey({ id, passkeyId: passkey.id });
                    say(`${passkey.name} no longer serves ${name}.`);
                    found.reload();
                  }}
                >
                  {name} can no longer sign in or approve with it. Without another one they need a new passkey.
                </PasskeyRow>
              ))}
            </ul>
            <h3>{logins.length === 0 ? `${name} is not signed in` : 'Signed in'}</h3>
            <ul class="rows">
              {logins.map((login) => (
                <LoginRow
                  key={login.id}
                  login={login}
                  onEnd={async () => {
                    await node.endUserLogin({ id, loginId: login.id });
                    say('That login has ended.');
                    found.reload();
                  }}
                />
              ))}
            </ul>
          </>
        )}
      </Shown>
      <div class="buttons">
        <RiskyButton act="Sign out everywhere" of={name} isLoss={false} onConfirm={end}>
          Every login of {name} ends at once, and their browsers get no more notifications. They can sign in again with
          a passkey.
        </RiskyButton>
      </div>
    </>
  );
}

async function loadAccess(id: string, signal: AbortSignal) {
  const [passkeys, logins] = await Promise.all([
    node.listUserPasskeys({ id, limit: MOST }, { signal }),
    node.listUserLogins({ id, limit: MOST }, { signal }),
  ]);
  return { passkeys: passkeys.data, logins: logins.data };
}

interface PasskeyRowProps {
  readonly passkey: Operations['listUserPasskeys']['output']['data'][number];
  /** What will be once it is removed. */
  readonly children: ComponentChildren;
  onRemove(): Promise<void>;
}

function PasskeyRow({ passkey, children, onRemove }: PasskeyRowProps) {
  const { name, synced, lastUsedAt, createdAt } = passkey;
  return (
    <li class="row">
      <span class="row-main">
        <bdi>{name}</bdi>
        <span class="quiet">
          {synced ? 'synced' : 'on one device only'} · used <When time={lastUsedAt ?? createdAt} inLink />
        </span>
      </span>
      <RiskyButton act="Remove" of={name} onConfirm={onRemove}>
        {children}
      </RiskyButton>
    </li>
  );
}
