/** The agents that may spend a principal's money, with what their limits leave; another one is added, and one taken away. */
import { useState } from 'preact/hooks';
import type { Principal } from '../../../client/operations.ts';
import { activeAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Choice } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { LimitBar } from '../../parts/limits/LimitBar.tsx';
import { type ListedLimits, tightest } from '../../parts/limits/measures.ts';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { say } from '../../parts/toasts.ts';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Status } from '../../parts/values/Status.tsx';

interface DelegatedAgentsProps {
  readonly principal: Principal;
  readonly limits: readonly ListedLimits[];
  onDone(): void;
}

export function DelegatedAgents({ principal, limits, onDone }: DelegatedAgentsProps) {
  const { did, agents } = principal;
  const known = new Map(limits.map((each) => [each.did, each]));
  return (
    <Card title="Agents that may spend its money">
      {agents.length === 0 ? (
        <Empty title="No agent yet">
          <p>Every request to spend this money is refused until you allow an agent here.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {agents.map((agent) => (
            <AgentRow key={agent} did={agent} limits={known.get(agent)} principal={principal} onDone={onDone} />
          ))}
        </ul>
      )}
      <AddAgent key={agents.join()} did={did} agents={agents} onDone={onDone} />
    </Card>
  );
}

interface AgentRowProps {
  readonly did: string;
  readonly limits: ListedLimits | undefined;
  readonly principal: Principal;
  onDone(): void;
}

function AgentRow({ did, limits, principal, onDone }: AgentRowProps) {
  // What agents share stands once, among the shared limits.
  const used = tightest(limits?.limits.filter(({ scope }) => scope === 'agent') ?? []);
  const name = limits?.displayName ?? `…${did.slice(-8)}`;
  const withdraw = async () => {
    // As it stands now: another may have changed it meanwhile.
    const { agents } = await node.getPrincipal({ did: principal.did });
    await node.changePrincipal({ did: principal.did, agents: agents.filter((agent) => agent !== did) });
    say('Withdrawn. The agent may no longer spend this money.');
    onDone();
  };
  return (
    <li class="row agent-row">
      <span class="row-main">
        <a class="inline-link" href={`#/agents/${encodeURIComponent(did)}`}>
          <AgentName did={did} />
        </a>
      </span>
      {limits !== undefined && limits.status !== 'ACTIVE' && <Status state={limits.status} />}
      <RiskyButton act="Withdraw" of={name} onConfirm={withdraw}>
        The agent may no longer spend this money; its purchases that are under way are refused too.
      </RiskyButton>
      {used !== undefined && <LimitBar measured={used} />}
    </li>
  );
}

interface AddAgentProps {
  readonly did: string;
  readonly agents: readonly string[];
  onDone(): void;
}

function AddAgent({ did, agents, onDone }: AddAgentProps) {
  const [chosen, setChosen] = useState('');
  const others = activeAgents().filter((agent) => !agents.includes(agent.did));
  if (others.length === 0) return <p class="quiet">Every active agent is listed already.</p>;
  const delegate = async () => {
    const now = await node.getPrincipal({ did });
    await node.changePrincipal({ did, agents: [...new Set([...now.agents, chosen])] });
    say('Allowed. The agent may spend this money.');
    onDone();
  };
  const options = [['', 'Choose…'] as const, ...others.map((agent) => [agent.did, agent.displayName] as const)];
  return (
    <Form act="Allow this agent" disabled={chosen === ''} onSubmit={delegate}>
      <Choice label="Another agent" name="agents" value={chosen} options={options} onChange={setChosen} />
    </Form>
  );
}
