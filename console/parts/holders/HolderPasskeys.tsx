/** The passkeys that approve for an agent or a principal, and the link by which another one is enrolled. */
import type { ComponentChildren } from 'preact';
import type { Passkey } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { Card } from '../Card.tsx';
import { RiskyButton } from '../RiskyButton.tsx';
import { say } from '../toasts.ts';
import { When } from '../values/When.tsx';
import { EnrollButton, type PasskeyHolder } from './EnrollButton.tsx';
import { useMakers } from './useMakers.tsx';

interface HolderPasskeysProps {
  readonly holder: PasskeyHolder;
  readonly passkeys: readonly Passkey[];
  /** What they do not approve. */
  readonly note?: string;
  /** What stands in their place while there is none. */
  readonly children: ComponentChildren;
  onDone(): void;
}

export function HolderPasskeys({ holder, passkeys, note, children, onDone }: HolderPasskeysProps) {
  return (
    <Card title="Passkeys that approve">
      {passkeys.length === 0 ? children : <Rows passkeys={passkeys} onDone={onDone} />}
      {passkeys.length > 0 && note !== undefined && <p class="quiet">{note}</p>}
      {may('admin') && (
        <div class="buttons">
          <EnrollButton holder={holder} />
        </div>
      )}
    </Card>
  );
}

function Rows({ passkeys, onDone }: Pick<HolderPasskeysProps, 'passkeys' | 'onDone'>) {
  const remove = async ({ id, deviceName }: Passkey) => {
    await node.removePasskey({ id });
    say(`${deviceName} can no longer approve purchases.`);
    onDone();
  };
  const madeBy = useMakers(passkeys);
  return (
    <ul class="rows">
      {passkeys.map((passkey) => (
        <li key={passkey.id} class="row">
          <span class="row-main">
            <bdi>{passkey.deviceName}</bdi>
            <span class="quiet">
              {passkey.synced ? 'synced' : 'on this device only'} · since <When time={passkey.createdAt} inLink />
              {madeBy(passkey)}
            </span>
          </span>
          {may('admin') && (
            <RiskyButton act="Remove" of={passkey.deviceName} onConfirm={() => remove(passkey)}>
              This passkey can no longer approve purchases.
            </RiskyButton>
          )}
        </li>
      ))}
    </ul>
  );
}
