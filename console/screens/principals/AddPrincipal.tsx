/** Registering a principal: a person of this node, whose own passkeys then approve, or another one, with a DID of its own or a new one. */

import { useRef, useState } from 'preact/hooks';
import { login } from '../../login/login.ts';
import { namedAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { Card } from '../../parts/Card.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Head } from '../../parts/Head.tsx';
import { usePrincipals } from '../../parts/holders/usePrincipals.ts';
import { say } from '../../parts/toasts.ts';
import { makeAgentKey } from '../../proofs/agentKey.ts';
import { go } from '../../shell/route.ts';

const NO_AGENT = '';
const ME = 'me';
const OTHER = 'other';

/** What the form asks for; undefined for what the user has not changed. */
interface PrincipalFormValues {
  readonly who?: string;
  readonly did: string;
  readonly name?: string;
  readonly agent: string;
}

export function AddPrincipal() {
  const [asked, setAsked] = useState<PrincipalFormValues>({ did: '', agent: NO_AGENT });
  const made = useRef<ReturnType<typeof makeAgentKey>>(undefined);
  const { nameOf } = usePrincipals();
  const me = myself();
  const { agent, who = nameOf(me?.did) === undefined ? ME : OTHER } = asked;
  const name = asked.name ?? ((who === ME && me?.name) || '');
  const didOf = async () => {
    if (who === ME && me !== undefined) return me.did;
    // Made once for the form, so that what is sent again is the same. Its secret half is dropped: passkeys approve.
    made.current ??= makeAgentKey();
    return asked.did.trim() || (await made.current).did;
  };
  const add = async () => {
    const did = await didOf();
    await node.registerPrincipal({ did, name: name.trim(), agents: agent === NO_AGENT ? [] : [agent] });
    go(`#/principals/${encodeURIComponent(did)}`, { replace: true });
    say('Registered. Only the agents that you name spend its money from now on.');
  };
  return (
    <>
      <Head back={{ href: '#/principals', name: 'Whose money' }} />
      <div class="stack">
        <Card isMain title="Add a person or company">
          <Form act="Register" disabled={name.trim() === ''} onSubmit={add}>
            {/* Who it is changes no more under a user who has begun, where the principals come late. */}
            <Fields asked={{ ...asked, who, name }} onChange={(changed) => setAsked({ ...asked, who, ...changed })} />
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

interface FieldsProps {
  readonly asked: Required<PrincipalFormValues>;
  onChange(changed: Partial<PrincipalFormValues>): void;
}

function Fields({ asked: { who, did, name, agent }, onChange }: FieldsProps) {
  const typed = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
  return (
    <>
      <Field
        label="Name"
        name="name"
        value={name}
        onInput={(next) => onChange({ name: next })}
        hint="As the approval page calls it, such as “Lovelace household”."
        input={{ required: true, maxLength: 200, autoComplete: 'off' }}
      />
      <Choice
        label="Who it is"
        value={who}
        onChange={(next) => onChange({ who: next })}
        options={[
          [ME, 'Myself: my passkeys approve'],
          [OTHER, 'Another person or company'],
        ]}
      />
      <Choice
        label="Agent that may spend it"
        name="agents"
        value={agent}
        onChange={(next) => onChange({ agent: next })}
        options={[[NO_AGENT, 'None yet'], ...namedAgents()]}
      />
      {who === OTHER && (
        <details class="technical">
          <summary>Technical details</summary>
          <Field
            label="DID"
            name="did"
            value={did}
            onInput={(next) => onChange({ did: next })}
            hint="As agents name it in their requests (principalDid). Left empty, one is made."
            input={{ ...typed, placeholder: 'did:key:z6Mk…' }}
          />
        </details>
      )}
    </>
  );
}
