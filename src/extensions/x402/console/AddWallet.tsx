/** Adds a wallet on a chain, by a key that is given or one that the node makes. The key is sent once, and kept by nothing here. */
import { useState } from 'preact/hooks';
import type { Principal } from '../../../../client/operations.ts';
import { node } from '../../../../console/node/node.ts';
import { Choice, Field } from '../../../../console/parts/form/Field.tsx';
import { Form } from '../../../../console/parts/form/Form.tsx';
import { HolderChoice, memberOf } from '../../../../console/parts/holders/HolderChoice.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { CHAINS } from '../../../../console/parts/values/chainText.ts';

const TYPED = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
const [BASE] = Object.keys(CHAINS);
const NOTHING = { chain: BASE ?? '', network: '', holder: '', rpcUrl: '', privateKey: '' };

interface AddWalletProps {
  readonly principals: readonly Principal[];
  onDone(): void;
  onLeave(): void;
}

export function AddWallet({ principals, onDone, onLeave }: AddWalletProps) {
  const [given, setGiven] = useState(NOTHING);
  const put = (name: keyof typeof NOTHING) => (value: string) => setGiven({ ...given, [name]: value });
  const { chain, network, holder, rpcUrl, privateKey } = given;
  const add = async () => {
    const optional = { [memberOf(holder, principals)]: holder, rpcUrl: rpcUrl.trim(), privateKey: privateKey.trim() };
    const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== ''));
    await node.createWallet({ network: chain === '' ? network.trim() : chain, ...present });
    say('Added. Send what agents may spend to its address.');
    onLeave();
    onDone();
  };
  return (
    <Form act="Add wallet" disabled={chain === '' && network.trim() === ''} onSubmit={add} onLeave={onLeave}>
      <Choice
        label="Chain"
        value={chain}
        options={[...Object.entries(CHAINS), ['', 'Another chain…']]}
        onChange={put('chain')}
      />
      {chain === '' && (
        <Field
          label="Its name by CAIP-2"
          name="network"
          value={network}
          onInput={put('network')}
          hint="Such as eip155:31337."
          input={{ ...TYPED, required: true }}
        />
      )}
      <HolderChoice
        label="Pays for"
        none="Every agent"
        principals={principals}
        value={holder}
        onChange={put('holder')}
      />
      <Field
        label="Where the chain is asked"
        name="rpcUrl"
        value={rpcUrl}
        onInput={put('rpcUrl')}
        hint="https://…, by JSON-RPC. Without it what was not settled stays held."
        input={{ ...TYPED, inputMode: 'url' }}
      />
      <Field
        label="Private key"
        name="privateKey"
        value={privateKey}
        onInput={put('privateKey')}
        hint="0x and 64 digits. The node makes one where it is left empty."
        input={{ ...TYPED, type: 'password' }}
      />
    </Form>
  );
}
