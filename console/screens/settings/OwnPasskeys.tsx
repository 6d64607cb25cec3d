/** The passkeys by which one signs in and confirms. */
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { makePasskey } from '../../login/passkeyCeremony.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { useMakers } from '../../parts/holders/useMakers.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { SheetButton } from '../../parts/SheetButton.tsx';
import { say } from '../../parts/toasts.ts';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { When } from '../../parts/values/When.tsx';

type OwnPasskey = Operations['listOwnPasskeys']['output']['data'][number];

interface OwnPasskeysProps {
  readonly passkeys: readonly OwnPasskey[];
  onDone(): void;
}

export function OwnPasskeys({ passkeys, onDone }: OwnPasskeysProps) {
  const isOthers = ({ agentDid, principalDid }: OwnPasskey) => (agentDid ?? principalDid) !== undefined;
  const own = passkeys.filter((passkey) => !isOthers(passkey));
  const others = passkeys.filter(isOthers);
  const madeBy = useMakers(others);
  return (
    <Card title="Your passkeys">
      {own.length === 0 && (
        <Empty title="You have no passkey yet">
          <p>With a passkey you sign in by a touch, and confirm changes that raise a risk.</p>
        </Empty>
      )}
      <ul class="rows">
        {own.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onDone={onDone} />
        ))}
      </ul>
      <AddPasskey onDone={onDone} />
      {others.length > 0 && (
        <>
          <h2 class="sub">Others that approve for your agents and your money</h2>
          <ul class="rows">
            {others.map((passkey) => (
              <HoldersRow key={passkey.id} passkey={passkey} made={madeBy(passkey)} onDone={onDone} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

interface HoldersRowProps {
  readonly passkey: OwnPasskey;
  /** Who made its link. */
  readonly made: ComponentChildren;
  onDone(): void;
}

/** One that a link or a key enrolled, in hands that the node does not know: it signs the user in nowhere. */
function HoldersRow({ passkey, made, onDone }: HoldersRowProps) {
  const { id, name, agentDid, createdAt } = passkey;
  const remove = async () => {
    await node.removeOwnPasskey({ id });
    say(`${name} can no longer approve purchases.`);
    onDone();
  };
  return (
    <li class="row">
      <span class="row-main">
        <bdi>{name}</bdi>
        <span class="quiet">
          for {agentDid === undefined ? 'your money' : <AgentName did={agentDid} />} · since{' '}
          <When time={createdAt} inLink />
          {made}
        </span>
      </span>
      <RiskyButton act="Remove" of={name} onConfirm={remove}>
        This passkey can no longer approve purchases.
      </RiskyButton>
    </li>
  );
}

function PasskeyRow({ passkey, onDone }: { readonly passkey: OwnPasskey; onDone(): void }) {
  const { id, name, synced, createdAt, lastUsedAt } = passkey;
  const remove = async () => {
    await node.removeOwnPasskey({ id });
    say(`${name} can no longer be used to sign in.`);
    onDone();
  };
  return (
    <li class="row acting">
      <span class="row-main">
        <bdi>{name}</bdi>
        <span class="quiet">
          {synced ? 'synced' : 'on this device only'} · used <When time={lastUsedAt ?? createdAt} inLink />
        </span>
      </span>
      <SheetButton act="Rename" title={`Rename ${name}`}>
        {(close) => <RenamePasskey id={id} name={name} onDone={onDone} onLeave={close} />}
      </SheetButton>
      <RiskyButton act="Remove" of={name} onConfirm={remove}>
        You can no longer sign in or confirm with this passkey. Make sure that you have another one.
      </RiskyButton>
    </li>
  );
}

interface RenamePasskeyProps {
  readonly id: string;
  readonly name: string;
  onDone(): void;
  onLeave(): void;
}

function RenamePasskey({ id, name, onDone, onLeave }: RenamePasskeyProps) {
  const [given, setGiven] = useState(name);
  const rename = async () => {
    await node.renameOwnPasskey({ id, name: given.trim() });
    say('Renamed.');
    onLeave();
    onDone();
  };
  return (
    <Form act="Rename" disabled={given.trim() === ''} onSubmit={rename} onLeave={onLeave}>
      <Field
        label="Name of the device"
        name="name"
        value={given}
        onInput={setGiven}
        input={{ maxLength: 100, autoComplete: 'off' }}
      />
    </Form>
  );
}

function AddPasskey({ onDone }: { onDone(): void }) {
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <div class="buttons">
        <Button onClick={() => setName('')}>Add a passkey…</Button>
      </div>
    );
  }
  const add = async () => {
    const { publicKey } = await node.beginOwnPasskey({ name });
    // The node's types say what it gives; the browser's are wider.
    const credential = await makePasskey(publicKey as unknown as PublicKeyCredentialCreationOptionsJSON);
    await node.completeOwnPasskey({ credential: credential as never });
    setName(undefined);
    say('Added. You can sign in with it.');
    onDone();
  };
  return (
    <Form act="Create passkey" disabled={name.trim() === ''} onSubmit={add} onLeave={() => setName(undefined)}>
      <Field
        label="Name of the device"
        name="name"
        value={name}
        onInput={setName}
        input={{ maxLength: 100, autoComplete: 'off', placeholder: 'Ada’s phone' }}
      />
    </Form>
  );
}
