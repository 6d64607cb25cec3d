/** Who is told, one after the other, of an approval that is not decided. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../../client/operations.ts';
import { runsWith } from '../../../node/here.ts';
import { node } from '../../../node/node.ts';
import { Button } from '../../../parts/Button.tsx';
import { Card } from '../../../parts/Card.tsx';
import { Choice, Field } from '../../../parts/form/Field.tsx';
import { Form } from '../../../parts/form/Form.tsx';
import { Sheet } from '../../../parts/Sheet.tsx';
import { say } from '../../../parts/toasts.ts';

type EscalationView = Operations['getEscalation']['output'];
type User = Operations['listUsers']['output']['data'][number];

interface EscalationProps {
  readonly escalation: EscalationView;
  readonly users: readonly User[];
  onDone(): void;
}

/** As many as the node takes. */
const MOST = 5;
const UNREACHED = runsWith('notices')
  ? 'has no notifications yet, so nothing reaches them'
  : 'is told nothing, since this node runs without notices';

export function Escalation({ escalation, users, onDone }: EscalationProps) {
  const [isAdding, setIsAdding] = useState(false);
  const { people, afterMinutes } = escalation;
  const ids = people.map(({ userId }) => userId);
  const others = users.filter(
    ({ id, removedAt, role }) => removedAt === undefined && role !== 'PENDING' && !ids.includes(id),
  );
  const set = async (userIds: string[], minutes = afterMinutes) => {
    await node.setEscalation({ userIds, ...(minutes === undefined ? {} : { afterMinutes: minutes }) });
    setIsAdding(false);
    say('Saved.');
    onDone();
  };
  return (
    <Card title="If an approval is not decided">
      <p class="quiet">
        {people.length === 0
          ? 'All who take notifications of approvals are told at once. A person you add here is told only when the others have not decided by half of the time.'
          : `These are told one after the other, each when half of the time that is left has passed${afterMinutes === undefined ? '' : `, or after ${afterMinutes} minutes`}. All others are told at once. A person who may not decide is passed by.`}
      </p>
      <ol class="rows">
        {people.map(({ userId, name = userId, places }) => (
          <li class="row place" key={userId}>
            <span class="row-main">
              <bdi>{name}</bdi>
              {places === 0 && <b class="wrong">{UNREACHED}</b>}
            </span>
            <span class="place-acts">
              <Button
                kind="plain"
                label={`Tell ${name} with the others`}
                onClick={() => set(ids.filter((id) => id !== userId))}
              >
                Remove
              </Button>
            </span>
          </li>
        ))}
      </ol>
      {others.length > 0 && people.length < MOST && (
        <div class="buttons">
          <Button onClick={() => setIsAdding(true)}>Add a person</Button>
        </div>
      )}
      {isAdding && (
        <AddPerson
          users={others}
          afterMinutes={afterMinutes}
          onAdd={(id, minutes) => set([...ids, id], minutes)}
          onClose={() => setIsAdding(false)}
        />
      )}
    </Card>
  );
}

interface AddPersonProps {
  readonly users: readonly User[];
  readonly afterMinutes: number | undefined;
  onAdd(userId: string, afterMinutes: number | undefined): Promise<void>;
  onClose(): void;
}

function AddPerson({ users, afterMinutes, onAdd, onClose }: AddPersonProps) {
  const [id, setId] = useState(users[0]?.id ?? '');
  const [minutes, setMinutes] = useState(afterMinutes === undefined ? '' : String(afterMinutes));
  return (
    <Sheet title="If an approval is not decided" onClose={onClose}>
      <Form act="Save" onSubmit={() => onAdd(id, minutes === '' ? undefined : Number(minutes))} onLeave={onClose}>
        <Choice
          label="Tell next"
          value={id}
          options={users.map((user) => [user.id, user.name ?? user.email ?? user.id] as const)}
          onChange={setId}
        />
        <Field
          label="After minutes (optional)"
          name="afterMinutes"
          value={minutes}
          onInput={setMinutes}
          input={{
            type: 'number',
            min: 1,
            max: 1440,
            step: 1,
            inputMode: 'numeric',
            placeholder: 'half of the time left',
          }}
          hint="It holds for each person in the list, and half of the time that is left where that is shorter."
        />
      </Form>
    </Sheet>
  );
}
