/** Registers a payment method of an agent, or of a principal for all agents that buy for it. */
import { useState } from 'preact/hooks';
import type { Principal } from '../../../client/operations.ts';
import { namedAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { Choice } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { InstrumentFields, instrumentOf, NO_INSTRUMENT } from '../../parts/holders/InstrumentFields.tsx';
import { say } from '../../parts/toasts.ts';

interface AddInstrumentProps {
  readonly principals: readonly Principal[];
  onDone(): void;
  onLeave(): void;
}

export function AddInstrument({ principals, onDone, onLeave }: AddInstrumentProps) {
  const agents = namedAgents();
  const [holder, setHolder] = useState('');
  const [given, setGiven] = useState(NO_INSTRUMENT);
  const isPrincipal = principals.some(({ did }) => did === holder);
  const add = async () => {
    await node.addInstrument({
      ...(isPrincipal ? { principalDid: holder } : { agentDid: holder }),
      ...instrumentOf(given),
    });
    say('Added. Purchases can use this payment method.');
    onLeave();
    onDone();
  };
  const options = [
    ['', 'Choose…'] as const,
    ...agents,
    ...principals.map(({ did, name }) => [did, `${name} (principal)`] as const),
  ];
  return (
    <Form
      act="Add payment method"
      disabled={holder === '' || given.paymentMethod.trim() === ''}
      onSubmit={add}
      onLeave={onLeave}
    >
      <Choice
        label="Holder"
        name={isPrincipal ? 'principalDid' : 'agentDid'}
        value={holder}
        options={options}
        onChange={setHolder}
      />
      <InstrumentFields given={given} onChange={setGiven} />
    </Form>
  );
}
