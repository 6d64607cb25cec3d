/** By which passkeys a colleague signs in: an OWNER removes one, or ends all of their logins at once. */
import { node } from '../../../node/node.ts';
import { useLoaded } from '../../../node/useLoaded.ts';
import { RiskyButton } from '../../../parts/RiskyButton.tsx';
import { Shown } from '../../../parts/Shown.tsx';
import { say } from '../../../parts/toasts.ts';
import { When } from '../../../parts/values/When.tsx';

const MOST = 200;

interface PersonAccessProps {
  readonly id: string;
  readonly name: string;
}

export function PersonAccess({ id, name }: PersonAccessProps) {
  const found = useLoaded(
    `access ${id}`,
    async (signal) => (await node.listUserPasskeys({ id, limit: MOST }, { signal })).data,
    ['user', 'hp'],
  );
  const end = async () => {
    await node.endUserLogins({ id });
    say(`${name} is signed out everywhere.`);
  };
  return (
    <>
      <Shown of={found} rows={1}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <p class="quiet">{name} has no passkey.</p>
          ) : (
            <ul class="rows">
              {passkeys.map((passkey) => (
                <li key={passkey.id} class="row">
                  <span class="row-main">
                    <bdi>{passkey.name}</bdi>
                    <span class="quiet">
                      {passkey.synced ? 'synced' : 'on one device only'} · used{' '}
                      <When time={passkey.lastUsedAt ?? passkey.createdAt} inLink />
                    </span>
                  </span>
                  <RiskyButton
                    act="Remove"
                    of={passkey.name}
                    onConfirm={async () => {
                      await node.removeUserPasskey({ id, passkeyId: passkey.id });
                      say(`${passkey.name} no longer serves ${name}.`);
                      found.reload();
                    }}
                  >
                    {name} can no longer sign in or approve with it. Without another one they need a new passkey.
                  </RiskyButton>
                </li>
              ))}
            </ul>
          )
        }
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
