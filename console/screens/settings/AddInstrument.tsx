/** Registers a payment method of an agent, or of a principal for all agents that buy for it. */
import { useState } from 'preact/hooks';
import type { Principal } from '../../../client/operations.ts';
import { namedAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { Card } from '../../parts/Card.tsx';
import { Choice } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { InstrumentFields, instrumentOf, NO_INSTRUMENT } from '../../parts/holders/InstrumentFields.tsx';
import { say } from '../../parts/toasts.ts';

interface AddInstrumentProps {
  readonly principals: readonly Principal[];
  onDone(): void;
}

export function AddInstrument({ principals, onDone }: AddInstrumentProps) {
  const agents = namedAgents();
  const [holder, setHolder] = useState('');
  const [given, setGiven] = useState(NO_INSTRUMENT);
  const isPrincipal = principals.some(({ did }) => did === holder);
  const add = async () => {
    await node.addInstrument({
      ...(isPrincipal ? { principalDid: holder } : { agentDid: holder }),
      ...instrumentOf(given),
    });
    setGiven(NO_INSTRUMENT);
    say('Added. Purchases can use it.');
    onDone();
  };
  const options = [
    ['', 'Choose…'] as const,
    ...agents,
    ...principals.map(({ did, name }) => [did, `${name} (principal)`] as const),
  ];
  return (
    <Card title="Add a payment method">
      <Form act="Add it" disabled={holder === '' || given.paymentMethod.trim() === ''} onSubmit={add}>
        <Choice
          label="Of"
          name={isPrincipal ? 'principalDid' : 'agentDid'}
          value={holder}
          options={options}
          onChange={setHolder}
        />
        <InstrumentFields given={given} onChange={setGiven} />
      </Form>
    </Card>
  );
}
