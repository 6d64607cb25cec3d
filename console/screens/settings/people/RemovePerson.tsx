/** Letting a person out: says which agents they leave behind, and freezes them where the owner chooses that. */
import { useState } from 'preact/hooks';
import { node } from '../../../node/node.ts';
import { useLoaded } from '../../../node/useLoaded.ts';
import { Form } from '../../../parts/form/Form.tsx';
import { Sheet } from '../../../parts/Sheet.tsx';
import { Shown } from '../../../parts/Shown.tsx';
import { say } from '../../../parts/toasts.ts';

interface RemovePersonProps {
  readonly id: string;
  readonly name: string;
  onClose(): void;
  onDone(): void;
}

export function RemovePerson({ id, name, onClose, onDone }: RemovePersonProps) {
  const [freezes, setFreezes] = useState(false);
  const owned = useLoaded(`agents of ${id}`, (signal) => loadOwned(id, signal), ['agent']);
  const remove = async () => {
    await node.removeUser({ id, suspendAgents: freezes ? 'true' : 'false' });
    say(`${name} is removed, with all their keys and passkeys.`);
    onDone();
  };
  return (
    <Sheet title={`Remove ${name}?`} onClose={onClose}>
      <Form act="Remove" kind="risky" disabled={owned.value === undefined} onSubmit={remove} onLeave={onClose}>
        <p>
          They are signed out at once and everywhere, and the API keys that they made end. An owner can invite them
          again.
        </p>
        <Shown of={owned} rows={1} height={4}>
          {(names) =>
            names.length > 0 && (
              <>
                <p>
                  They own {names.length === 1 ? 'an agent that can' : `${names.length} agents that can`} still buy:{' '}
                  <bdi>{names.join(', ')}</bdi>.
                </p>
                <label class="check">
                  <input
                    type="checkbox"
                    checked={freezes}
                    onChange={(event) => setFreezes(event.currentTarget.checked)}
                  />{' '}
                  Freeze {names.length === 1 ? 'it' : 'them'} too
                </label>
              </>
            )
          }
        </Shown>
      </Form>
    </Sheet>
  );
}

const MOST = 200;

/** What the active agents of a person are called. */
async function loadOwned(id: string, signal: AbortSignal): Promise<readonly string[]> {
  const names: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const more = cursor === undefined ? {} : { cursor };
    const page = await node.listAgents({ status: 'ACTIVE', limit: MOST, ...more }, { signal });
    names.push(...page.data.filter(({ ownerUserId }) => ownerUserId === id).map(({ displayName }) => displayName));
    cursor = page.cursor;
  }
  return names;
}
