/** Registers a payment method of an agent, or of a principal for all agents that buy for it. */
import { useState } from 'preact/hooks';
import type { Principal } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { Form } from '../../parts/form/Form.tsx';
import { HolderChoice, memberOf } from '../../parts/holders/HolderChoice.tsx';
import { InstrumentFields, instrumentOf, NO_INSTRUMENT } from '../../parts/holders/InstrumentFields.tsx';
import { say } from '../../parts/toasts.ts';

interface AddInstrumentProps {
  readonly principals: readonly Principal[];
  onDone(): void;
  onLeave(): void;
}

export function AddInstrument({ principals, onDone, onLeave }: AddInstrumentProps) {
  const [holder, setHolder] = useState('');
  const [given, setGiven] = useState(NO_INSTRUMENT);
  const add = async () => {
    await node.addInstrument({ [memberOf(holder, principals)]: holder, ...instrumentOf(given) });
    say('Added. Purchases can use this payment method.');
    onLeave();
    onDone();
  };
  return (
    <Form
      act="Add payment method"
      disabled={holder === '' || given.paymentMethod.trim() === ''}
      onSubmit={add}
      onLeave={onLeave}
    >
      <HolderChoice label="Holder" none="Choose…" principals={principals} value={holder} onChange={setHolder} />
      <InstrumentFields given={given} onChange={setGiven} />
    </Form>
  );
}
