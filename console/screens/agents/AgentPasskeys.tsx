/** Whose passkeys approve for an agent, and the link by which another person enrolls one. */
import { useState } from 'preact/hooks';
import type { Passkey } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { say } from '../../parts/toasts.ts';
import { When } from '../../parts/values/When.tsx';

interface AgentPasskeysProps {
  readonly did: string;
  readonly passkeys: readonly Passkey[];
  onDone(): void;
}

export function AgentPasskeys({ did, passkeys, onDone }: AgentPasskeysProps) {
  const [url, setUrl] = useState<string>();
  const enroll = async () => setUrl((await node.createEnrollment({ agentDid: did })).url);
  return (
    <Card title="Passkeys that approve for it">
      {passkeys.length === 0 ? <None /> : <Rows passkeys={passkeys} onDone={onDone} />}
      {may('admin') && url === undefined && (
        <div class="buttons">
          <Button onClick={enroll}>Make a link to enroll one</Button>
        </div>
      )}
      {url !== undefined && (
        <>
          <p class="quiet">
            Whoever opens this link may approve for this agent. It serves once; give it to its owner only.
          </p>
          <CopyText name="enrollment link" text={url} />
        </>
      )}
    </Card>
  );
}

function None() {
  return (
    <Empty title="Nobody can approve for it yet">
      <p>Purchases that need a person are refused until somebody has enrolled a passkey.</p>
    </Empty>
  );
}

function Rows({ passkeys, onDone }: { readonly passkeys: readonly Passkey[]; onDone(): void }) {
  const remove = async ({ id, deviceName }: Passkey) => {
    await node.removePasskey({ id });
    say(`${deviceName} approves nothing from now on.`);
    onDone();
  };
  return (
    <ul class="rows">
      {passkeys.map((passkey) => (
        <li key={passkey.id} class="row">
          <span class="row-main">
            <bdi>{passkey.deviceName}</bdi>
            <span class="quiet">
              {passkey.synced ? 'synced' : 'on this device only'} · since <When time={passkey.createdAt} inLink />
            </span>
          </span>
          {may('admin') && (
            <RiskyButton act="Remove" of={passkey.deviceName} onConfirm={() => remove(passkey)}>
              It approves nothing any more, for none of the agents that it serves.
            </RiskyButton>
          )}
        </li>
      ))}
    </ul>
  );
}
