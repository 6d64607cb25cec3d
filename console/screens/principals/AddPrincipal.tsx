/** Registering a principal: a person of this node, whose own passkeys then approve, or another one by its DID. */

import { useState } from 'preact/hooks';
import { login } from '../../login/login.ts';
import { namedAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { Card } from '../../parts/Card.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Head } from '../../parts/Head.tsx';
import { say } from '../../parts/toasts.ts';
import { go } from '../../shell/route.ts';

const NO_AGENT = '';

/** What the form asks for. */
interface PrincipalFormValues {
  readonly who: 'other' | 'me';
  readonly did: string;
  readonly name: string;
  readonly agent: string;
}

export function AddPrincipal() {
  const [asked, setAsked] = useState<PrincipalFormValues>({ who: 'other', did: '', name: '', agent: NO_AGENT });
  const did = asked.who === 'me' ? (myself()?.did ?? '') : asked.did.trim();
  const add = async () => {
    const agents = asked.agent === NO_AGENT ? [] : [asked.agent];
    await node.registerPrincipal({ did, name: asked.name.trim(), agents });
    go(`#/principals/${encodeURIComponent(did)}`, { replace: true });
    say('Registered. Only the agents that you name spend its money from now on.');
  };
  return (
    <>
      <Head back={{ href: '#/principals', name: 'Whose money' }} />
      <div class="stack">
        <Card isMain title="Add a person or company">
          <Form act="Register" disabled={did === '' || asked.name.trim() === ''} onSubmit={add}>
            <Fields asked={asked} onChange={setAsked} />
          </Form>
        </Card>
      </div>
    </>
  );
}

function myself() {
  const state = login.value;
  return state.at === 'in' ? state.me : undefined;
}

function Fields({
  asked,
  onChange,
}: {
  readonly asked: PrincipalFormValues;
  onChange(asked: PrincipalFormValues): void;
}) {
  const choose = (who: string) =>
    onChange({
      ...asked,
      who: who as PrincipalFormValues['who'],
      name: asked.name || (who === 'me' && myself()?.name) || '',
    });
  const typed = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
  return (
    <>
      <Field
        label="Name"
        name="name"
        value={asked.name}
        onInput={(name) => onChange({ ...asked, name })}
        hint="As the approval page calls it, such as “Lovelace household”."
        input={{ required: true, maxLength: 200, autoComplete: 'off' }}
      />
      <Choice
        label="Who it is"
        value={asked.who}
        onChange={choose}
        options={[
          ['other', 'Another, by its DID'],
          ['me', 'Myself: my passkeys approve'],
        ]}
      />
      {asked.who === 'other' && (
        <Field
          label="DID"
          name="did"
          value={asked.did}
          onInput={(did) => onChange({ ...asked, did })}
          hint="As agents name it in their requests (principalDid)."
          input={{ ...typed, required: true, placeholder: 'did:key:z6Mk…' }}
        />
      )}
      <Choice
        label="Agent that may spend it"
        name="agents"
        value={asked.agent}
        onChange={(agent) => onChange({ ...asked, agent })}
        options={[[NO_AGENT, 'None yet'], ...namedAgents()]}
      />
    </>
  );
}
