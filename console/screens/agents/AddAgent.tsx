/** Adding an agent: its name and its key, which is made here unless it has one; then what its developer needs. */
import { useState } from 'preact/hooks';
import { explain } from '../../node/explainError.ts';
import { download } from '../../node/files.ts';
import { node } from '../../node/node.ts';
import { Back } from '../../parts/Back.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Choice, Field } from '../../parts/Field.tsx';
import { type AgentKey, makeAgentKey } from '../../proofs/agentKey.ts';
import { Snippets } from './Snippets.tsx';

interface Added {
  readonly did: string;
  /** Where it was made here; it is in this page only. */
  readonly key?: AgentKey;
}

export function AddAgent() {
  const [added, setAdded] = useState<Added>();
  return (
    <>
      <Back href="#/agents">Agents</Back>
      <div class="stack narrow">{added === undefined ? <Form onAdded={setAdded} /> : <Done added={added} />}</div>
    </>
  );
}

/** What the form asks for. */
interface Asked {
  readonly name: string;
  readonly way: 'here' | 'given';
  /** The public key of an agent that has one. */
  readonly given: string;
}

async function register({ name, way, given }: Asked): Promise<Added> {
  const key = way === 'here' ? await makeAgentKey() : undefined;
  const { did } = await node.registerAgent({ name, publicKey: key?.publicKey ?? given.trim() });
  return { did, ...(key === undefined ? {} : { key }) };
}

function Form({ onAdded }: { onAdded(added: Added): void }) {
  const [form, setForm] = useState<Asked>({ name: '', way: 'here', given: '' });
  const [trouble, setTrouble] = useState<string>();
  const [busy, setBusy] = useState(false);
  const add = async () => {
    setTrouble(undefined);
    setBusy(true);
    try {
      onAdded(await register(form));
    } catch (error) {
      setTrouble(explain(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card isMain title="Add an agent">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Fields form={form} onChange={setForm} />
        {trouble !== undefined && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <div class="buttons">
          <Button kind="first" type="submit" disabled={busy || form.name.trim() === ''}>
            Add
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Fields({ form, onChange }: { readonly form: Asked; onChange(form: Asked): void }) {
  return (
    <>
      <Field
        label="Name"
        value={form.name}
        onInput={(name) => onChange({ ...form, name })}
        input={{ required: true, maxLength: 200, autoComplete: 'off' }}
        hint="As people are to know it, such as “Ada’s shopping agent”."
      />
      <Choice
        label="Key"
        value={form.way}
        onChange={(way) => onChange({ ...form, way: way as Asked['way'] })}
        options={[
          ['here', 'Make one here, in this browser'],
          ['given', 'It has one already'],
        ]}
      />
      {form.way === 'given' && (
        <Field
          label="Public key"
          value={form.given}
          onInput={(given) => onChange({ ...form, given })}
          input={{ required: true, placeholder: 'z6Mk…', autoComplete: 'off', spellcheck: false }}
          hint="Ed25519, as base58 or multibase. The secret key stays with the agent."
        />
      )}
    </>
  );
}

function Done({ added: { did, key } }: { readonly added: Added }) {
  return (
    <>
      {key !== undefined && (
        <Card isMain title="Keep its secret key now">
          <p>
            It was made in this browser and sent nowhere; when you leave this page it is gone. Put it where the agent
            runs, as <code>agent.seed</code>.
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
