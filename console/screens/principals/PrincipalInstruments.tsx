/** What is paid with for a principal, and the form that registers another payment method. */
import { useState } from 'preact/hooks';
import type { Instrument } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { InstrumentFields, instrumentOf, NO_INSTRUMENT } from '../../parts/holders/InstrumentFields.tsx';
import { InstrumentRow } from '../../parts/holders/InstrumentRow.tsx';
import { SheetButton } from '../../parts/SheetButton.tsx';
import { say } from '../../parts/toasts.ts';

interface PrincipalInstrumentsProps {
  readonly did: string;
  readonly instruments: readonly Instrument[];
  onDone(): void;
}

export function PrincipalInstruments({ did, instruments, onDone }: PrincipalInstrumentsProps) {
  return (
    <Card title="Payment methods">
      {instruments.length === 0 ? (
        <Empty title="No payment method">
          <p>Purchases are paid with the agent’s payment method, or with the rail’s default.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {instruments.map((instrument) => (
            <InstrumentRow key={instrument.id} instrument={instrument} ofOneHolder onDone={onDone} />
          ))}
        </ul>
      )}
      <div class="buttons">
        <SheetButton act="Add a payment method…" title="Add a payment method">
          {(close) => <AddInstrument did={did} onClose={close} onDone={onDone} />}
        </SheetButton>
      </div>
    </Card>
  );
}

interface AddInstrumentProps {
  readonly did: string;
  onClose(): void;
  onDone(): void;
}

function AddInstrument({ did, onClose, onDone }: AddInstrumentProps) {
  const [given, setGiven] = useState(NO_INSTRUMENT);
  const add = async () => {
    await node.addInstrument({ principalDid: did, ...instrumentOf(given) });
    say('Added. Purchases can use this payment method.');
    onClose();
    onDone();
  };
  return (
    <Form act="Add payment method" disabled={given.paymentMethod.trim() === ''} onSubmit={add} onLeave={onClose}>
      <InstrumentFields given={given} onChange={setGiven} />
    </Form>
  );
}
