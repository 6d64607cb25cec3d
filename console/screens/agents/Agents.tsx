/** Every agent: its name, its state, and since when it is here. */

import type { AgentSummary } from '../../../client/operations.ts';
import { each } from '../../../client/records.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';

/** More of them are found by what they buy. */
const MOST = 500;

export function Agents() {
  const agents = useLoaded('agents', load, ['agent']);
  return (
    <>
      <div class="head">
        <h1>Agents</h1>
        {may('admin') && (
          <a class="button first" href="#/agents/new">
            <Icon name="plus" size={20} /> Add an agent
          </a>
        )}
      </div>
      <Card>
        <Shown of={agents} rows={4}>
          {(found) => (found.length === 0 ? <None /> : <AgentRows agents={found} />)}
        </Shown>
      </Card>
    </>
  );
}

async function load(signal: AbortSignal): Promise<readonly AgentSummary[]> {
  const found: AgentSummary[] = [];
  for await (const agent of each(node.listAgents, { limit: 200 }, { signal })) {
    if (found.push(agent) >= MOST) break;
  }
  return found;
}

function None() {
  return (
    <Empty title="There is no agent yet">
      <p>
        An agent is a program that buys. It signs what it asks for with a key of its own, which this node knows it by.
      </p>
    </Empty>
  );
}

function AgentRows({ agents }: { readonly agents: readonly AgentSummary[] }) {
  return (
    <ul class="rows">
      {agents.map(({ did, displayName, status, createdAt }) => (
        <li key={did}>
          <a class="row" href={`#/agents/${encodeURIComponent(did)}`}>
            <span class="row-main">
              <bdi class="agent">{displayName}</bdi>
              <span class="quiet">
                added <When time={createdAt} inLink />
              </span>
            </span>
            <span class="row-end">
              <Status state={status} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
