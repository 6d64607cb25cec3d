/** Every agent: its name, its state, whose money it spends and how much of it, when it was last seen, and what is used of its limits. */

import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
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
import { amountOf, amountText } from '../../parts/values/amount.ts';
import { dayBefore, timezone, today } from '../../parts/values/days.ts';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { hrefOf, pagesIn } from '../../shell/places.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';

const PAGE = 25;
const DAYS = 30;
/** Of more, the page of each says which agents spend its money. */
const MOST_PRINCIPALS = 200;

interface AgentList {
  readonly agents: readonly ListedLimits[];
  readonly hasMore: boolean;
  readonly spending: AgentSpending;
}

/** By the agents' DIDs. */
interface AgentSpending {
  /** Whose money; undefined for a user who may not know. */
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly sums: ReadonlyMap<string, string>;
}

export function Agents({ query }: ScreenProps) {
  const pages = pagesIn(query);
  const found = useLoaded(
    'agents',
    (signal) => load(pages, signal),
    ['agent', 'intent', 'policy', 'payment', 'principal', 'delegation'],
    pages,
  );
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
          {({ agents, hasMore, spending }) =>
            agents.length === 0 ? (
              <None />
            ) : (
              <>
                {isDesk.value ? (
                  <AgentTable agents={agents} spending={spending} />
                ) : (
                  <AgentRows agents={agents} spending={spending} />
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
  const from = dayBefore(today(), DAYS - 1);
  const [found, spent, principals] = await Promise.all([
    listPages(pages, signal),
    node.showSpend({ from, by: 'agent', timezone: timezone() }, { signal }),
    may('admin') ? node.listPrincipals({ limit: MOST_PRINCIPALS }, { signal }) : undefined,
  ]);
  const names = principals?.data.flatMap(({ name, agents }) => agents.map((did) => [did, name] as const));
  const sums = spent.entries.map(
    ({ agentDid = '', net, currency }) => [agentDid, amountText(amountOf(net.minor, currency), currency)] as const,
  );
  return { ...found, spending: { names: names && joined(names, ', '), sums: joined(sums, ' + ') } };
}

/** The texts of each key as one. */
function joined(
  texts: readonly (readonly [key: string, text: string])[],
  between: string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [key, text] of texts) found.set(key, found.has(key) ? `${found.get(key)}${between}${text}` : text);
  return found;
}

async function listPages(pages: number, signal: AbortSignal): Promise<Omit<AgentList, 'spending'>> {
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

function AgentTable({ agents, spending: { names, sums } }: Pick<AgentList, 'agents' | 'spending'>) {
  const columns: readonly TableColumn<ListedLimits>[] = [
    {
      name: 'Name',
      isMain: true,
      isLong: true,
      cell: ({ displayName }) => <bdi title={displayName}>{displayName}</bdi>,
    },
    ...(names === undefined
      ? []
      : [
          {
            name: 'Spends for',
            width: '18%',
            isLong: true as const,
            cell: ({ did }: ListedLimits) =>
              names.has(did) ? (
                <bdi title={names.get(did)}>{names.get(did)}</bdi>
              ) : (
                <span class="quiet">Not registered</span>
              ),
          },
        ]),
    {
      name: `${DAYS} days`,
      width: 7.5,
      isEnd: true,
      cell: ({ did }) => <span class="money">{sums.get(did)}</span>,
    },
    { name: 'Tightest limit', width: '26%', isLong: true, cell: (agent) => <UsedLimit of={agent} /> },
    {
      name: 'Last seen',
      width: 6,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === undefined ? <span class="when">never</span> : <When time={lastSeenAt} inLink />,
    },
    { name: 'State', width: 6, cell: ({ status }) => <Status state={status} /> },
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

/**
 * Of the agent's own limits, since one that all agents share would say the same in each line, unless that one nearly stops it; without one,
 * of the shared ones. An agent that may buy no more uses no limit.
 */
function UsedLimit({ of: { status, limits } }: { readonly of: ListedLimits }) {
  const own = tightest(limits.filter(({ scope }) => scope !== 'policy'));
  const all = tightest(limits);
  const used = status === 'REVOKED' ? undefined : all?.state === 'free' ? (own ?? all) : all;
  return used === undefined ? null : <LimitBar measured={used} />;
}

function AgentRows({ agents, spending }: Pick<AgentList, 'agents' | 'spending'>) {
  return (
    <ul class="rows">
      {agents.map((agent) => (
        <li key={agent.did}>
          <AgentRow agent={agent} spending={spending} />
        </li>
      ))}
    </ul>
  );
}

interface AgentRowProps {
  readonly agent: ListedLimits;
  readonly spending: AgentSpending;
}

function AgentRow({ agent, spending: { names, sums } }: AgentRowProps) {
  const { did, displayName, status, lastSeenAt } = agent;
  const name = names?.get(did);
  return (
    <a class="row agent-row" href={`#/agents/${encodeURIComponent(did)}`}>
      <span class="row-main">
        <bdi class="agent">{displayName}</bdi>
        <span class="quiet">
          {name !== undefined && (
            <>
              for <bdi>{name}</bdi> ·{' '}
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
        {sums.has(did) && <span class="money">{sums.get(did)}</span>}
        <Status state={status} />
      </span>
      <UsedLimit of={agent} />
    </a>
  );
}
