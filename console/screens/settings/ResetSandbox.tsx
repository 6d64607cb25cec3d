/** Begins the sandbox's data anew. What goes is said before, and has to be confirmed by a word. */
import { useState } from 'preact/hooks';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { say } from '../../parts/toasts.ts';

const WORD = 'reset';

export function ResetSandbox() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Reset the sandbox">
      <p>
        Removes every intent, cart, payment and decision, all evidence, and what counts towards limits. Agents,
        policies, merchants, people, keys and webhooks stay. A new chain of evidence begins.
      </p>
      <div class="buttons">
        <Button kind="risky" onClick={() => setOpen(true)}>
          Reset…
        </Button>
      </div>
      {isOpen && <Confirm onClose={() => setOpen(false)} />}
    </Card>
  );
}

function Confirm({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState('');
  const reset = async () => {
    await node.resetTestData({});
    onClose();
    say('Reset. A new chain of evidence has begun.');
  };
  return (
    <Sheet title="Reset the sandbox?" onClose={onClose}>
      <p>All purchases of this sandbox are deleted, and every browser that verified the evidence notices.</p>
      <Form
        act="Reset the sandbox"
        kind="risky"
        disabled={typed.trim().toLowerCase() !== WORD}
        onSubmit={reset}
        onLeave={onClose}
      >
        <Field
          label={`Type “${WORD}” to confirm`}
          value={typed}
          onInput={setTyped}
          input={{ autoComplete: 'off', autoCapitalize: 'none', spellcheck: false }}
        />
      </Form>
    </Sheet>
  );
}
