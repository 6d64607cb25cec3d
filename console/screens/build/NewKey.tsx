/** Another API key, or one in the place of another. It is shown this once, with a line that uses it. */
import { useMemo, useState } from 'preact/hooks';
import { namedAgents } from '../../node/agentNames.ts';
import { HOME } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { onceFor } from '../../node/onceFor.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { say } from '../../parts/toasts.ts';
import type { ApiKey } from './ApiKeys.tsx';

type Permissions = ApiKey['permissions'];

const MAY = ['read', 'write', 'admin'] as const satisfies Permissions;

interface NewKeyProps {
  /** The key that the new one takes the place of. */
  readonly replaced: ApiKey | undefined;
  onMade(): void;
  onEnd(): void;
}

export function NewKey({ replaced, onMade, onEnd }: NewKeyProps) {
  const [made, setMade] = useState<string>();
  const show = (key: string) => {
    setMade(key);
    onMade();
  };
  if (made === undefined) return <KeyForm replaced={replaced} onMade={show} onEnd={onEnd} />;
  const end = () => {
    setMade(undefined);
    onEnd();
  };
  return <MadeKey apiKey={made} replaced={replaced} onEnd={end} />;
}

interface KeyFormProps extends Omit<NewKeyProps, 'onMade'> {
  onMade(key: string): void;
}

function KeyForm({ replaced, onMade, onEnd }: KeyFormProps) {
  const [name, setName] = useState(replaced?.name ?? '');
  const [most, setMost] = useState<string>(replaced?.permissions.at(-1) ?? 'read');
  const [agent, setAgent] = useState('');
  // Where an answer is lost, the same key is shown when it is asked for again.
  const askOnce = useMemo(onceFor, []);
  const make = async () => {
    const permissions = replaced?.permissions ?? MAY.slice(0, MAY.indexOf(most as 'read') + 1);
    const bound = replaced === undefined ? (agent === '' ? undefined : [agent]) : replaced.agents;
    const agents = bound === undefined ? {} : { agents: bound };
    const tier = replaced === undefined ? {} : { tier: replaced.tier };
    const input = { name: name.trim(), permissions, ...tier, ...agents };
    onMade((await askOnce(input, (idempotencyKey) => node.createApiKey(input, { idempotencyKey }))).key);
  };
  return (
    <Card title={replaced === undefined ? 'Create a key' : <bdi>Another key like {replaced.name}</bdi>}>
      <Form act="Create key" disabled={name.trim() === ''} onSubmit={make} onLeave={onEnd}>
        <Field
          label="Name"
          name="name"
          value={name}
          onInput={setName}
          hint="What will use it, such as “Shop back end”."
          input={{ required: true, maxLength: 100, autoComplete: 'off' }}
        />
        {replaced === undefined && <KeyReach most={most} agent={agent} onMost={setMost} onAgent={setAgent} />}
      </Form>
    </Card>
  );
}

interface KeyReachProps {
  readonly most: string;
  readonly agent: string;
  onMost(most: string): void;
  onAgent(agent: string): void;
}

function KeyReach({ most, agent, onMost, onAgent }: KeyReachProps) {
  const choose = (chosen: string) => {
    // A key for one agent administers nothing.
    if (chosen === 'admin') onAgent('');
    onMost(chosen);
  };
  return (
    <>
      <Choice
        label="Permissions"
        name="permissions"
        value={most}
        onChange={choose}
        options={[
          ['read', 'Read'],
          ['write', 'Read and write: buy, capture, refund'],
          ['admin', 'Administer: agents, policies, keys, webhooks'],
        ]}
      />
      {most !== 'admin' && (
        <Choice
          label="For"
          name="agents"
          value={agent}
          onChange={onAgent}
          options={[['', 'Every agent'], ...namedAgents()]}
        />
      )}
    </>
  );
}

interface MadeKeyProps extends Omit<NewKeyProps, 'onMade'> {
  readonly apiKey: string;
}

function MadeKey({ apiKey, replaced, onEnd }: MadeKeyProps) {
  const command = `curl -s ${HOME.href.replace(/\/$/, '')}/ap2/payments -H "Authorization: Bearer ${apiKey}"`;
  const revoke = async () => {
    if (replaced === undefined) return;
    await node.revokeApiKey({ id: replaced.id });
    say('The former key is refused from now on.');
    onEnd();
  };
  return (
    <Card title="Save this key now">
      <p>It is shown once. The node stores only its hash.</p>
      <CopyText name="API key" text={apiKey} />
      <h3>Try it</h3>
      <CopyText name="command" text={command} />
      {replaced !== undefined && (
        <p class="quiet">
          The former key still works. Replace it in your program, then revoke it. Keys that it created are revoked with
          it.
        </p>
      )}
      <div class="buttons">
        {replaced !== undefined && <Button onClick={revoke}>Revoke the former key</Button>}
        <Button kind={replaced === undefined ? 'first' : 'second'} onClick={onEnd}>
          I have saved it
        </Button>
      </div>
    </Card>
  );
}
