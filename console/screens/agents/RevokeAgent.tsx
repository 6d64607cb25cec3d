/** Ending an agent for good: what that voids is said before, counted as it is now. */
import { useState } from 'preact/hooks';
import type { Agent } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { say } from '../../parts/toasts.ts';

interface RevokeAgentProps {
  readonly agent: Agent;
  onClose(): void;
  onDone(): void;
}

export function RevokeAgent({ agent: { did, displayName }, onClose, onDone }: RevokeAgentProps) {
  const [reason, setReason] = useState('');
  const open = useLoaded(`open ${did}`, (signal) => loadOpen(did, signal), ['intent', 'approval', 'payment', 'cart']);
  const revoke = async () => {
    await node.revokeAgent({ did, reason });
    say('Revoked.');
    onDone();
  };
  return (
    <Sheet title={`Revoke ${displayName}?`} onClose={onClose}>
      <p>The agent can no longer buy, and this cannot be undone.</p>
      <Shown of={open} rows={1} height={7}>
        {(found) => <Voided {...found} />}
      </Shown>
      <Form act="Revoke permanently" kind="risky" disabled={reason.trim() === ''} onSubmit={revoke} onLeave={onClose}>
        <Field
          label="Why"
          name="reason"
          value={reason}
          onInput={setReason}
          hint="It is kept in the evidence."
          input={{ maxLength: 1000, autoComplete: 'off' }}
        />
      </Form>
    </Sheet>
  );
}

/** How many of each, up to a page, and whether there are more. */
interface Open {
  readonly intents: RecordCount;
  readonly waiting: RecordCount;
  readonly reserved: RecordCount;
}

interface RecordCount {
  readonly count: number;
  readonly isMore: boolean;
}

const MOST = 200;

async function loadOpen(agentDid: string, signal: AbortSignal): Promise<Open> {
  const page = { agentDid, limit: MOST };
  const [intents, waiting, reserved] = await Promise.all([
    node.listIntents({ ...page, status: 'ACTIVE' }, { signal }),
    node.listApprovals({ ...page, status: 'pending' }, { signal }),
    node.listPayments({ ...page, status: 'AUTHORIZED' }, { signal }),
  ]);
  const counted = ({ data, hasMore }: { readonly data: readonly unknown[]; readonly hasMore: boolean }) => {
    return { count: data.length, isMore: hasMore };
  };
  return { intents: counted(intents), waiting: counted(waiting), reserved: counted(reserved) };
}

function Voided({ intents, waiting, reserved }: Open) {
  return (
    <ul class="causes">
      <li>
        {intents.count === 0
          ? 'The agent has no open intent.'
          : `${of(intents, 'intent', 'intents')} that the agent has not used ${are(intents)} void, with the carts that were accepted for ${intents.count === 1 ? 'it' : 'them'}.`}
      </li>
      {waiting.count > 0 && (
        <li>{of(waiting, 'purchase that waits', 'purchases that wait')} for a yes cannot be paid.</li>
      )}
      <li>The agent’s open tasks end.</li>
      <li>
        {reserved.count === 0
          ? 'The agent’s payments stay as they are.'
          : `The agent’s payments stay as they are; ${of(reserved, 'payment', 'payments')} reserved and not captured ${are(reserved)} still to be captured or canceled.`}
      </li>
    </ul>
  );
}

function of({ count, isMore }: RecordCount, one: string, more: string): string {
  return `${isMore ? 'More than ' : ''}${count} ${count === 1 ? one : more}`;
}

function are({ count }: RecordCount): string {
  return count === 1 ? 'is' : 'are';
}
