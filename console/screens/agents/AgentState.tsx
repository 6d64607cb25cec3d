/** Stopping an agent at once, letting it go on, and ending it for good. */
import { useState } from 'preact/hooks';
import type { Agent } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Field } from '../../parts/Field.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { say } from '../../parts/toasts.ts';

interface AgentStateProps {
  readonly agent: Agent;
  onDone(): void;
}

export function AgentState({ agent, onDone }: AgentStateProps) {
  const [isEnding, setEnding] = useState(false);
  const { did, status } = agent;
  if (!may('admin') || status === 'REVOKED') return null;
  const reactivate = async () => {
    await node.reactivateAgent({ did });
    say('It may buy again.');
    onDone();
  };
  const freeze = async () => {
    await node.suspendAgent({ did });
    say('Frozen. It buys nothing from now on.', { name: 'Undo', run: reactivate });
    onDone();
  };
  return (
    <div class="buttons">
      {status === 'ACTIVE' ? (
        <Button kind="first" onClick={freeze}>
          <Icon name="freeze" /> Freeze
        </Button>
      ) : (
        <Button kind="first" onClick={reactivate}>
          Reactivate
        </Button>
      )}
      <Button kind="risky" onClick={() => setEnding(true)}>
        Revoke…
      </Button>
      {isEnding && (
        <Revoke
          agent={agent}
          onClose={() => setEnding(false)}
          onDone={() => {
            setEnding(false);
            onDone();
          }}
        />
      )}
    </div>
  );
}

interface RevokeProps extends AgentStateProps {
  onClose(): void;
}

function Revoke({ agent: { did, displayName }, onClose, onDone }: RevokeProps) {
  const [reason, setReason] = useState('');
  const revoke = async () => {
    await node.revokeAgent({ did, reason });
    say('Revoked.');
    onDone();
  };
  return (
    <Sheet title={`Revoke ${displayName}?`} onClose={onClose}>
      <p>
        It will buy nothing any more, and this cannot be taken back. Carts of it that are approved but not paid are
        void, and its open tasks end. What it has paid stays as it is.
      </p>
      <Field
        label="Why"
        value={reason}
        onInput={setReason}
        hint="It is kept in the evidence."
        input={{ maxLength: 1000, autoComplete: 'off' }}
      />
      <div class="buttons">
        <Button kind="risky" disabled={reason.trim() === ''} onClick={revoke}>
          Revoke for good
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Sheet>
  );
}
