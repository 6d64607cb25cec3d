/** One agent: what it spent, for whom, what its limits leave, what it did, who may approve for it, and how to stop it at once. */
import { useId, useState } from 'preact/hooks';
import type { Agent, Principal } from '../../../client/operations.ts';
import { each } from '../../../client/records.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { userNames } from '../../node/userNames.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Tabs } from '../../parts/form/Tabs.tsx';
import { Head } from '../../parts/Head.tsx';
import { ExtensionCards } from '../../parts/holders/ExtensionCards.tsx';
import { HolderPasskeys } from '../../parts/holders/HolderPasskeys.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Technical } from '../../parts/Technical.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { hrefOf } from '../../shell/places.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { AgentAccess, type BoundKey } from './AgentAccess.tsx';
import { AgentActivity } from './AgentActivity.tsx';
import { AgentSpend, type AgentSum, loadSpent } from './AgentSpend.tsx';
import { AgentActs, FreezeButton } from './AgentState.tsx';
import { LimitsCard } from './LimitsCard.tsx';
import { Snippets } from './Snippets.tsx';

const NEWEST = 6;
const MOST_KEYS = 1000;
const KINDS = ['agent', 'intent', 'cart', 'payment', 'pm', 'hp', 'policy', 'key', 'session'];
const MOST_PASSKEYS = 50;
const VIEWS = ['Overview', 'Connect and keys'] as const;

export function OneAgent({ params }: ScreenProps) {
  const did = params['did'] ?? '';
  const id = useId();
  const [view, setView] = useState<(typeof VIEWS)[number]>('Overview');
  const found = useLoaded(`agent ${did}`, (signal) => load(did, signal), KINDS);
  return (
    <>
      <Head back={{ href: '#/agents', name: 'Agents' }}>
        {found.value !== undefined && <FreezeButton agent={found.value.agent} onDone={found.reload} />}
      </Head>
      <div class="split">
        <Shown of={found} rows={3} height={9}>
          {({ agent, spent, limits, states, payments, decisions, passkeys, keys, sessions, ...context }) => (
            <>
              <Summary agent={agent} spent={spent} />
              <div class="stack">
                <Tabs label="Views of the agent" names={VIEWS} shown={view} controls={id} onChoose={setView} />
                <div id={id} class="stack">
                  {view === 'Overview' ? (
                    <>
                      <LimitsCard agent={agent} limits={limits} states={states} onDone={found.reload} />
                      <ExtensionCards on="/agents/:did" did={did} />
                      <AgentActivity did={did} payments={payments} decisions={decisions} />
                      <HolderPasskeys
                        holder={{ agentDid: did }}
                        note={OF_REGISTERED}
                        passkeys={passkeys}
                        onDone={found.reload}
                      >
                        <NoPasskey isOwned={agent.ownerUserId !== undefined} />
                      </HolderPasskeys>
                    </>
                  ) : (
                    <Connect
                      agent={agent}
                      principals={context.principals}
                      keys={keys}
                      sessions={sessions}
                      onDone={found.reload}
                    />
                  )}
                </div>
              </div>
              <aside class="context stack">
                <AgentActs agent={agent} onDone={found.reload} />
                <Context {...context} />
              </aside>
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

type ConnectProps = { readonly agent: Agent; readonly principals: readonly Principal[] } & Omit<
  Parameters<typeof AgentAccess>[0],
  'did'
>;

function Connect({ agent: { did, createdAt }, principals, ...access }: ConnectProps) {
  return (
    <>
      <Card title="Connect it">
        <dl class="facts">
          <Fact name="Added">
            <When time={createdAt} />
          </Fact>
        </dl>
        <Snippets agentDid={did} principals={principals} />
        <Technical ids={{ 'DID of the agent': did, ...didsOf(principals) }} />
      </Card>
      <AgentAccess did={did} {...access} />
    </>
  );
}

function didsOf(principals: readonly Principal[]): Readonly<Record<string, string>> {
  return Object.fromEntries(principals.map(({ did, name }) => [name, did]));
}

/** Together, since what comes later would move what is there. */
async function load(did: string, signal: AbortSignal) {
  const [agent, used, held, payments, decisions, passkeys, sessions, keys, owners, spent, principals] =
    await Promise.all([
      node.getAgent({ did }, { signal }),
      node.listLimits({ agents: did }, { signal }),
      node.showAgentLimits({ did }, { signal }),
      node.listPayments({ agentDid: did, limit: NEWEST }, { signal }),
      node.listDecisions({ agentDid: did, limit: NEWEST }, { signal }),
      node.listPasskeys({ agentDid: did, limit: MOST_PASSKEYS }, { signal }),
      node.listSessions({ agentDid: did, status: 'ACTIVE', limit: NEWEST }, { signal }),
      may('admin') ? boundKeys(did, signal) : undefined,
      userNames(signal),
      loadSpent(did, signal),
      may('admin') ? principalsOf(did, signal) : [],
    ]);
  const [{ limits, lastSeenAt } = { limits: [], lastSeenAt: undefined }] = used.data;
  return {
    agent,
    spent,
    principals,
    limits,
    states: held.limits,
    lastSeenAt,
    owner: agent.ownerUserId === undefined ? undefined : owners.get(agent.ownerUserId),
    payments: payments.data,
    decisions: decisions.data,
    passkeys: passkeys.data,
    sessions: sessions.data,
    keys,
  };
}

/** Whose money it may spend. */
async function principalsOf(did: string, signal: AbortSignal): Promise<readonly Principal[]> {
  const { data } = await node.listPrincipals({ limit: 200 }, { signal });
  return data.filter(({ agents }) => agents.includes(did));
}

async function boundKeys(did: string, signal: AbortSignal): Promise<readonly BoundKey[]> {
  const found: BoundKey[] = [];
  let looked = 0;
  for await (const key of each(node.listApiKeys, { limit: 200 }, { signal })) {
    if (key.revokedAt === undefined && key.agents?.includes(did) === true) found.push(key);
    looked += 1;
    if (looked >= MOST_KEYS) break;
  }
  return found;
}

/** Of one of those no passkey of the agent approves. */
const OF_REGISTERED =
  'Purchases with the money of a person or company that is registered here are approved by the passkeys of that one alone.';

function NoPasskey({ isOwned }: { readonly isOwned: boolean }) {
  return (
    <Empty title={isOwned ? 'Only the owner’s passkeys approve' : 'No passkey can approve for this agent yet'}>
      <p>
        {isOwned
          ? 'A link enrolls one for another person.'
          : 'Purchases that need a person cannot be approved until a passkey is enrolled or the agent has an owner.'}{' '}
        {OF_REGISTERED}
      </p>
    </Empty>
  );
}

function Summary({ agent, spent }: { readonly agent: Agent; readonly spent: readonly AgentSum[] }) {
  const { displayName, description, status, reason } = agent;
  return (
    <Card isMain title={<bdi>{displayName}</bdi>} aside={<Status state={status} />}>
      {description !== '' && (
        <p class="quiet">
          <bdi class="clamped">{description}</bdi>
        </p>
      )}
      {reason !== undefined && (
        <p class="note">
          <bdi class="clamped">{reason}</bdi>
        </p>
      )}
      <AgentSpend sums={spent} />
    </Card>
  );
}

interface ContextProps {
  readonly lastSeenAt: string | undefined;
  readonly owner: string | undefined;
  /** Empty for a user who may not see them, too. */
  readonly principals: readonly Principal[];
}

/** Whose the agent is, and whose money it spends. */
function Context({ lastSeenAt, owner, principals }: ContextProps) {
  return (
    <Card title="Belongs to">
      <dl class="facts agent-facts">
        <Fact name="Owner">{owner === undefined ? 'No owner' : <bdi>{owner}</bdi>}</Fact>
        {principals.length > 0 && (
          <Fact name="Spends for">
            {principals.map(({ did, name }, index) => (
              <span key={did}>
                {index > 0 && ', '}
                <a class="inline-link" href={hrefOf(`/principals/${encodeURIComponent(did)}`)}>
                  <bdi>{name}</bdi>
                </a>
              </span>
            ))}
          </Fact>
        )}
        <Fact name="Last seen">{lastSeenAt === undefined ? 'Never' : <When time={lastSeenAt} />}</Fact>
      </dl>
    </Card>
  );
}
