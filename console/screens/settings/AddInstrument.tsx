/** Registers a payment method of an agent, or of a principal for everybody who buys for them. */
import { useState } from 'preact/hooks';
import { namedAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { Card } from '../../parts/Card.tsx';
import { Choice, Field } from '../../parts/Field.tsx';
import { Form } from '../../parts/Form.tsx';
import { say } from '../../parts/toasts.ts';

/** In place of an agent's DID. */
const PRINCIPAL = 'principal';
const NOTHING = { paymentMethod: '', customer: '', principal: '' };

export function AddInstrument({ onDone }: { onDone(): void }) {
  const agents = namedAgents();
  const [holder, setHolder] = useState('');
  const [given, setGiven] = useState(NOTHING);
  const put = (name: keyof typeof NOTHING) => (value: string) => setGiven({ ...given, [name]: value });
  const add = async () => {
    const { paymentMethod, customer, principal } = given;
    await node.addInstrument({
      ...(holder === PRINCIPAL ? { principalDid: principal.trim() } : { agentDid: holder }),
      paymentMethod: paymentMethod.trim(),
      ...(customer.trim() === '' ? {} : { customer: customer.trim() }),
    });
    setGiven(NOTHING);
    say('Added. Purchases can use it.');
    onDone();
  };
  const typed = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false, maxLength: 255 } as const;
  const isGiven =
    holder !== '' && given.paymentMethod.trim() !== '' && (holder !== PRINCIPAL || given.principal.trim() !== '');
  return (
    <Card title="Add a payment method">
      <Form act="Add it" disabled={!isGiven} onSubmit={add}>
        <Choice
          label="Of"
          value={holder}
          options={[['', 'Choose…'], ...agents, [PRINCIPAL, 'A principal, by DID']]}
          onChange={setHolder}
        />
        {holder === PRINCIPAL && (
          <Field
            label="Principal"
            value={given.principal}
            onInput={put('principal')}
            input={{ ...typed, placeholder: 'did:key:z6Mk…' }}
          />
        )}
        <Field
          label="Payment method"
          value={given.paymentMethod}
          onInput={put('paymentMethod')}
          hint="Its name at the rail, such as pm_1Q…. Never a card number."
          input={{ ...typed, required: true }}
        />
        <Field
          label="Customer"
          value={given.customer}
          onInput={put('customer')}
          hint="Whose it is at the rail, such as cus_R…, where the rail asks for it."
          input={typed}
        />
      </Form>
    </Card>
  );
}
