/** Stopping an agent at once, letting it buy again, editing it, and ending it for good. */
import { useState } from 'preact/hooks';
import type { Agent } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { say } from '../../parts/toasts.ts';
import { EditAgent } from './EditAgent.tsx';
import { RevokeAgent } from './RevokeAgent.tsx';

interface AgentStateProps {
  readonly agent: Agent;
  onDone(): void;
}

function canChange({ status }: Agent): boolean {
  return may('admin') && status !== 'REVOKED';
}

/** The main button of the agent's screen: on a phone, too, it is reached without scrolling. */
export function FreezeButton({ agent, onDone }: AgentStateProps) {
  const { did, status } = agent;
  if (!canChange(agent)) return null;
  const reactivate = async () => {
    await node.reactivateAgent({ did });
    say('Reactivated. The agent can buy again.');
    onDone();
  };
  const freeze = async () => {
    await node.suspendAgent({ did });
    say('Frozen. The agent buys nothing from now on.', { name: 'Undo', run: reactivate });
    onDone();
  };
  return status === 'ACTIVE' ? (
    <Button onClick={freeze}>
      <Icon name="freeze" /> Freeze
    </Button>
  ) : (
    <Button kind="first" onClick={reactivate}>
      Reactivate
    </Button>
  );
}

export function AgentActs({ agent, onDone }: AgentStateProps) {
  const [open, setOpen] = useState<'edit' | 'revoke'>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onDone();
  };
  if (!canChange(agent)) return null;
  return (
    <Card title="Actions">
      <div class="buttons">
        <Button onClick={() => setOpen('edit')}>Edit…</Button>
        <span class="apart" />
        <Button kind="risky" onClick={() => setOpen('revoke')}>
          Revoke…
        </Button>
      </div>
      {open === 'edit' && <EditAgent agent={agent} onClose={close} onDone={done} />}
      {open === 'revoke' && <RevokeAgent agent={agent} onClose={close} onDone={done} />}
    </Card>
  );
}
