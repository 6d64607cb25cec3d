/** Stopping an agent at once, letting it go on, editing it, and ending it for good. */
import { useState } from 'preact/hooks';
import type { Agent } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { say } from '../../parts/toasts.ts';
import { EditAgent } from './EditAgent.tsx';
import { RevokeAgent } from './RevokeAgent.tsx';

interface AgentStateProps {
  readonly agent: Agent;
  onDone(): void;
}

export function AgentState({ agent, onDone }: AgentStateProps) {
  const [open, setOpen] = useState<'edit' | 'revoke'>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onDone();
  };
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
        <Button onClick={freeze}>
          <Icon name="freeze" /> Freeze
        </Button>
      ) : (
        <Button kind="first" onClick={reactivate}>
          Reactivate
        </Button>
      )}
      <Button onClick={() => setOpen('edit')}>Edit…</Button>
      <span class="apart" />
      <Button kind="risky" onClick={() => setOpen('revoke')}>
        Revoke…
      </Button>
      {open === 'edit' && <EditAgent agent={agent} onClose={close} onDone={done} />}
      {open === 'revoke' && <RevokeAgent agent={agent} onClose={close} onDone={done} />}
    </div>
  );
}
