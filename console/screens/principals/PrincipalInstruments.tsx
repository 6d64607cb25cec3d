/** What is paid with for a principal, and the form that registers another payment method. */
import { useState } from 'preact/hooks';
import type { Instrument } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { InstrumentFields, instrumentOf, NO_INSTRUMENT } from '../../parts/holders/InstrumentFields.tsx';
import { InstrumentRow } from '../../parts/holders/InstrumentRow.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { say } from '../../parts/toasts.ts';

interface PrincipalInstrumentsProps {
  readonly did: string;
  readonly instruments: readonly Instrument[];
  onDone(): void;
}

export function PrincipalInstruments({ did, instruments, onDone }: PrincipalInstrumentsProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Card title="Payment methods">
      {instruments.length === 0 ? (
        <Empty title="It has no payment method of its own">
          <p>Its purchases are paid with the agent’s, or with what the rail takes by itself.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {instruments.map((instrument) => (
            <InstrumentRow key={instrument.id} instrument={instrument} ofOneHolder onDone={onDone} />
          ))}
        </ul>
      )}
      <div class="buttons">
        <Button onClick={() => setAdding(true)}>Add a payment method…</Button>
      </div>
      {isAdding && (
        <AddOne
          did={did}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            onDone();
          }}
        />
      )}
    </Card>
  );
}

interface AddOneProps {
  readonly did: string;
  onClose(): void;
  onDone(): void;
}

function AddOne({ did, onClose, onDone }: AddOneProps) {
  const [given, setGiven] = useState(NO_INSTRUMENT);
  const add = async () => {
    await node.addInstrument({ principalDid: did, ...instrumentOf(given) });
    say('Added. Purchases can use it.');
    onDone();
  };
  return (
    <Sheet title="Add a payment method" onClose={onClose}>
      <Form act="Add it" disabled={given.paymentMethod.trim() === ''} onSubmit={add} onLeave={onClose}>
        <InstrumentFields given={given} onChange={setGiven} />
      </Form>
    </Sheet>
  );
}
