/** Where one is signed in, and the way out of each. */
import type { Operations } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { say } from '../../parts/toasts.ts';
import { When } from '../../parts/values/When.tsx';
import { deviceText } from './deviceText.ts';

type Login = Operations['listLogins']['output']['data'][number];

interface LoginsProps {
  readonly logins: readonly Login[];
  onDone(): void;
}

export function Logins({ logins, onDone }: LoginsProps) {
  const end = async (act: () => Promise<unknown>, done: string) => {
    await act();
    say(done);
    onDone();
  };
  return (
    <Card title="Where you are signed in">
      <ul class="rows">
        {logins.map((login) => (
          <LoginRow
            key={login.id}
            login={login}
            onEnd={() => end(() => node.endOwnLogin({ id: login.id }), 'That login has ended.')}
          />
        ))}
      </ul>
      {logins.length > 1 && (
        <div class="buttons">
          <Button onClick={() => end(() => node.endOwnLogins({ others: true }), 'All other logins have ended.')}>
            End all others
          </Button>
        </div>
      )}
    </Card>
  );
}

export function LoginRow({ login, onEnd }: { readonly login: Login; onEnd(): Promise<void> }) {
  const { way, device, lastUsedAt, current } = login;
  return (
    <li class="row">
      <span class="row-main">
        <bdi>{deviceText(device)}</bdi>
        <span class="quiet">
          {current && 'this one · '}by {way === 'passkey' ? 'passkey' : 'your organization'} · used{' '}
          <When time={lastUsedAt} inLink />
        </span>
      </span>
      {!current && (
        <Button kind="plain" label={`End the login on ${deviceText(device)}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
