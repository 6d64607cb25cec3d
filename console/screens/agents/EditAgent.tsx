/** What people call an agent, what it is for, and who owns it: the owner's passkeys approve what it buys. */
import { useState } from 'preact/hooks';
import type { Agent } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { userNames } from '../../node/userNames.ts';
import { Choice, Field, LongField } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { say } from '../../parts/toasts.ts';

interface EditAgentProps {
  readonly agent: Agent;
  onClose(): void;
  onDone(): void;
}

export function EditAgent(props: EditAgentProps) {
  const owners = useLoaded('owners', userNames, ['user']);
  return (
    <Sheet title="Edit the agent" onClose={props.onClose}>
      <Shown of={owners} rows={3} height={4.5}>
        {(names) => <AgentForm {...props} owners={names} />}
      </Shown>
    </Sheet>
  );
}

interface AgentFormProps extends EditAgentProps {
  readonly owners: ReadonlyMap<string, string>;
}

function AgentForm({ agent, owners, onClose, onDone }: AgentFormProps) {
  const { did, displayName, description, ownerUserId = '' } = agent;
  const [input, setInput] = useState({ name: displayName, description, owner: ownerUserId });
  const save = async () => {
    // What stays as it is is not sent: another may have changed it meanwhile.
    await node.changeAgent({
      did,
      ...(input.name === displayName ? {} : { name: input.name }),
      ...(input.description === description ? {} : { description: input.description }),
      ...(input.owner === ownerUserId ? {} : { ownerUserId: input.owner === '' ? null : input.owner }),
    });
    say('Saved.');
    onDone();
  };
  const isGone = ownerUserId !== '' && !owners.has(ownerUserId);
  const options = [['', 'No owner'] as const, ...(isGone ? [[ownerUserId, 'A removed user'] as const] : []), ...owners];
  return (
    <Form act="Save" disabled={input.name.trim() === ''} onSubmit={save} onLeave={onClose}>
      <Field
        label="Name"
        name="name"
        value={input.name}
        onInput={(name) => setInput({ ...input, name })}
        input={{ maxLength: 200, autoComplete: 'off' }}
      />
      <LongField
        label="What it is for"
        name="description"
        value={input.description}
        onInput={(text) => setInput({ ...input, description: text })}
        maxLength={2000}
      />
      <Choice
        label="Owner"
        name="ownerUserId"
        value={input.owner}
        options={options}
        onChange={(owner) => setInput({ ...input, owner })}
      />
      <p class="quiet">The owner’s passkeys approve what it buys. Changing the owner needs a touch of your passkey.</p>
    </Form>
  );
}
