/** Every agent: its name, its state, who owns it, when it was last seen, and what is used of its limits. */

import { login } from '../../login/login.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { userNames } from '../../node/userNames.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Head } from '../../parts/Head.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { LimitBar } from '../../parts/limits/LimitBar.tsx';
import { type ListedLimits, tightest } from '../../parts/limits/measures.ts';
import { Shown } from '../../parts/Shown.tsx';
import { isDesk } from '../../parts/table/isDesk.ts';
import { MoreButton } from '../../parts/table/MoreButton.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { hrefOf, pagesIn } from '../../shell/places.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';

const PAGE = 25;

interface AgentList {
  readonly agents: readonly ListedLimits[];
  readonly hasMore: boolean;
  /** By their id, for who may know them. */
  readonly owners: ReadonlyMap<string, string>;
}

export function Agents({ query }: ScreenProps) {
  const pages = pagesIn(query);
  const found = useLoaded('agents', (signal) => load(pages, signal), ['agent', 'intent', 'policy', 'user'], pages);
  return (
    <>
      <Head title="Agents">
        {may('admin') && (
          <a class="button first" href="#/agents/new">
            <Icon name="plus" size={20} /> Add an agent
          </a>
        )}
      </Head>
      <Card class="list">
        <Shown of={found} rows={4} height={5.5}>
          {({ agents, hasMore, owners }) =>
            agents.length === 0 ? (
              <None />
            ) : (
              <>
                {isDesk.value ? (
                  <AgentTable agents={agents} owners={owners} />
                ) : (
                  <AgentRows agents={agents} owners={owners} />
                )}
                {hasMore && (
                  <MoreButton onMore={() => go(hrefOf('/agents', { pages: String(pages + 1) }), { replace: true })} />
                )}
              </>
            )
          }
        </Shown>
      </Card>
    </>
  );
}

/** Together: where the screen is left, both end, and neither rejection is left unhandled. */
async function load(pages: number, signal: AbortSignal): Promise<AgentList> {
  const [found, owners] = await Promise.all([listPages(pages, signal), userNames(signal)]);
  return { ...found, owners };
}

async function listPages(pages: number, signal: AbortSignal): Promise<Omit<AgentList, 'owners'>> {
  const agents: ListedLimits[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pages; page++) {
    const next = await node.listLimits({ limit: PAGE, ...(cursor === null ? {} : { cursor }) }, { signal });
    agents.push(...next.data);
    cursor = next.cursor;
    if (cursor === null) break;
  }
  return { agents, hasMore: cursor !== null };
}

function None() {
  return (
    <Empty title="No agent yet">
      <p>An agent is a program that buys. It signs its requests with its own key, by which the node knows it.</p>
    </Empty>
  );
}

function AgentTable({ agents, owners }: Pick<AgentList, 'agents' | 'owners'>) {
  const columns: readonly TableColumn<ListedLimits>[] = [
    { name: 'Name', isMain: true, cell: ({ displayName }) => <bdi title={displayName}>{displayName}</bdi> },
    { name: 'Owner', width: 9, cell: ({ ownerUserId }) => <bdi>{ownerText(ownerUserId, owners)}</bdi> },
    { name: 'Tightest limit', width: '35%', cell: (agent) => <UsedLimit of={agent} /> },
    {
      name: 'Last seen',
      width: 8,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === undefined ? <span class="when">never</span> : <When time={lastSeenAt} inLink />,
    },
    { name: 'State', width: 7, cell: ({ status }) => <Status state={status} /> },
  ];
  return (
    <Table
      label={agents.length === 1 ? '1 agent' : `${agents.length} agents`}
      columns={columns}
      items={agents}
      keyOf={({ did }) => did}
      hrefOf={({ did }) => `#/agents/${encodeURIComponent(did)}`}
    />
  );
}

/** An agent that may buy no more uses no limit. */
/** Of the agent's own limits, since one that all agents share would say the same in each line; without one, of the shared ones. */
function UsedLimit({ of: { status, limits } }: { readonly of: ListedLimits }) {
  const own = limits.filter(({ scope }) => scope !== 'policy');
  const used = status === 'REVOKED' ? undefined : tightest(own.length > 0 ? own : limits);
  return used === undefined ? null : <LimitBar measured={used} />;
}

function AgentRows({ agents, owners }: Pick<AgentList, 'agents' | 'owners'>) {
  return (
    <ul class="rows">
      {agents.map((agent) => (
        <li key={agent.did}>
          <AgentRow agent={agent} owners={owners} />
        </li>
      ))}
    </ul>
  );
}

interface AgentRowProps {
  readonly agent: ListedLimits;
  readonly owners: ReadonlyMap<string, string>;
}

function AgentRow({ agent, owners }: AgentRowProps) {
  const { did, displayName, status, lastSeenAt, ownerUserId } = agent;
  const owner = ownerText(ownerUserId, owners);
  return (
    <a class="row agent-row" href={`#/agents/${encodeURIComponent(did)}`}>
      <span class="row-main">
        <bdi class="agent">{displayName}</bdi>
        <span class="quiet">
          {owner !== undefined && (
            <>
              <bdi>{owner}</bdi> ·{' '}
            </>
          )}
          {lastSeenAt === undefined ? (
            'never seen'
          ) : (
            <>
              seen <When time={lastSeenAt} inLink />
            </>
          )}
        </span>
      </span>
      <span class="row-end">
        <Status state={status} />
      </span>
      <UsedLimit of={agent} />
    </a>
  );
}

function ownerText(userId: string | undefined, owners: ReadonlyMap<string, string>): string | undefined {
  if (userId === undefined) return undefined;
  const state = login.value;
  const isMe = state.at === 'in' && state.me.userId === userId;
  return isMe ? 'You' : owners.get(userId);
}
