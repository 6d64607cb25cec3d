/** Adding an agent: its name and its key, which is made here unless it has one; then what its developer needs. */

import { useMemo, useRef, useState } from 'preact/hooks';
import { download } from '../../node/files.ts';
import { node } from '../../node/node.ts';
import { onceFor } from '../../node/onceFor.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Head } from '../../parts/Head.tsx';
import { type AgentKey, makeAgentKey } from '../../proofs/agentKey.ts';
import { Snippets } from './Snippets.tsx';

interface NewAgent {
  readonly did: string;
  /** Where it was made here; it is in this page only. */
  readonly key?: AgentKey;
}

export function AddAgent() {
  const [added, setAdded] = useState<NewAgent>();
  return (
    <>
      <Head back={{ href: '#/agents', name: 'Agents' }} />
      <div class="stack">{added === undefined ? <AgentForm onAdded={setAdded} /> : <Done added={added} />}</div>
    </>
  );
}

/** What the form asks for. */
interface AgentFormValues {
  readonly name: string;
  readonly way: 'here' | 'given';
  /** The public key of an agent that has one. */
  readonly given: string;
}

function AgentForm({ onAdded }: { onAdded(added: NewAgent): void }) {
  const [form, setForm] = useState<AgentFormValues>({ name: '', way: 'here', given: '' });
  const askOnce = useMemo(onceFor, []);
  // One key for this form: where an answer is lost the agent may be there, and its key is still in this page.
  const made = useRef<Promise<AgentKey>>(undefined);
  const add = async () => {
    const { name, way, given } = form;
    made.current ??= makeAgentKey();
    const key = way === 'here' ? await made.current : undefined;
    const input = { name, publicKey: key?.publicKey ?? given.trim() };
    const { did } = await askOnce(input, (idempotencyKey) => node.registerAgent(input, { idempotencyKey }));
    onAdded({ did, ...(key === undefined ? {} : { key }) });
  };
  return (
    <Card isMain title="Add an agent">
      <Form act="Add" disabled={form.name.trim() === ''} onSubmit={add}>
        <Fields form={form} onChange={setForm} />
      </Form>
    </Card>
  );
}

function Fields({ form, onChange }: { readonly form: AgentFormValues; onChange(form: AgentFormValues): void }) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        value={form.name}
        onInput={(name) => onChange({ ...form, name })}
        input={{ required: true, maxLength: 200, autoComplete: 'off' }}
        hint="The name that people see, such as “Ada’s shopping agent”."
      />
      <Choice
        label="Key"
        value={form.way}
        onChange={(way) => onChange({ ...form, way: way as AgentFormValues['way'] })}
        options={[
          ['here', 'Create one here, in this browser'],
          ['given', 'Use an existing key'],
        ]}
      />
      {form.way === 'given' && (
        <Field
          label="Public key"
          name="publicKey"
          value={form.given}
          onInput={(given) => onChange({ ...form, given })}
          input={{ required: true, placeholder: 'z6Mk…', autoComplete: 'off', spellcheck: false }}
          hint="Ed25519, as base58 or multibase. The secret key stays with the agent."
        />
      )}
    </>
  );
}

function Done({ added: { did, key } }: { readonly added: NewAgent }) {
  return (
    <>
      {key !== undefined && (
        <Card isMain title="Save the secret key now">
          <p>
            The key was made in this browser and is stored nowhere else; it is gone when you leave this page. Put it
            where the agent runs, as <code>agent.seed</code>.
          </p>
          <div class="buttons">
            <Button kind="first" onClick={() => download('agent.seed', key.seed, 'application/octet-stream')}>
              Save agent.seed
            </Button>
          </div>
        </Card>
      )}
      <Card title="Connect it">
        <Snippets agentDid={did} />
      </Card>
      <p>
        <a class="inline-link" href={`#/agents/${encodeURIComponent(did)}`}>
          To the agent: enroll a passkey that may approve for it
        </a>
      </p>
    </>
  );
}
