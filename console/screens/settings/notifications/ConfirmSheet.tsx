/** The code that was sent to an e-mail address, given back. */
import { useState } from 'preact/hooks';
import { node } from '../../../node/node.ts';
import type { ChannelRecord } from '../../../notifications/thisBrowser.ts';
import { Field } from '../../../parts/form/Field.tsx';
import { Form } from '../../../parts/form/Form.tsx';
import { Sheet } from '../../../parts/Sheet.tsx';

interface ConfirmSheetProps {
  readonly place: ChannelRecord;
  onClose(): void;
  onDone(text: string): void;
}

export function ConfirmSheet({ place: { id, url }, onClose, onDone }: ConfirmSheetProps) {
  const [code, setCode] = useState('');
  const save = async () => {
    await node.confirmNotifications({ id, code });
    onDone('Confirmed: notifications go there from now on.');
  };
  return (
    <Sheet title="Confirm the address" onClose={onClose}>
      <p>
        A code was sent to <bdi>{url}</bdi>. It works for a day.
      </p>
      <Form act="Confirm" disabled={code.trim() === ''} onSubmit={save} onLeave={onClose}>
        <Field
          label="Code"
          name="code"
          value={code}
          onInput={setCode}
          input={{ required: true, maxLength: 40, autoComplete: 'one-time-code', placeholder: '7QK2-M9XD' }}
        />
      </Form>
    </Sheet>
  );
}
