/** What `countersign agent` does with agents at a node. */
import { CountersignError } from '../../../client/error.ts';
import type { Agent } from '../../../client/operations.ts';
import type { AgentStatus } from '../../../protocol/agent.ts';
import type { AgentLimitUse } from '../../../protocol/agentLimits.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { MAX_PAGE } from '../../../protocol/wire/page.ts';
import { WrongUse } from '../commandFailure.ts';
import { columns, facts, localTime, money, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { agentCalled } from '../target/names.ts';
import { newest } from '../target/pages.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { publicKeyIn } from './keygen.ts';

type Env = NodeJS.ProcessEnv;

interface AddOptions extends TargetOptions {
  readonly name: string;
  readonly publicKey?: string;
  readonly keyFile?: string;
  readonly description?: string;
  readonly capability?: readonly string[];
}

export function addAgent(env: Env, options: AddOptions): Promise<void> {
  const { name, description, capability: capabilities } = options;
  const input = { name, publicKey: keyOf(options), ...compact({ description, capabilities }) };
  return withTarget(env, options, async ({ client }) => {
    const made = await client.registerAgent(input);
    print(options, made, `${made.did} is registered.`);
  });
}

function keyOf({ publicKey, keyFile }: AddOptions): string {
  if (publicKey !== undefined && keyFile === undefined) return publicKey;
  if (keyFile !== undefined && publicKey === undefined) return publicKeyIn(keyFile);
  throw new WrongUse('Give either --public-key or --key-file.');
}

export function showAgent(env: Env, given: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const did = await agentCalled(client, given);
    const found = await client.getAgent({ did });
    const [{ limits = [], lastSeenAt } = {}] = (await client.listLimits({ agents: [did] })).data;
    const owner = found.ownerUserId === undefined ? undefined : await ownerName(client, found.ownerUserId);
    const used = limits.length === 0 ? 'no limit in time' : limits.map(useText).join('; ');
    const seen = lastSeenAt === undefined ? 'never' : localTime(lastSeenAt);
    print(options, { ...found, limits }, describe(found, { Owner: owner ?? 'none', Used: used, 'Last seen': seen }));
  });
}

/** By name where the key may know it. */
async function ownerName(client: Target['client'], userId: string): Promise<string> {
  try {
    const users = await newest(Number.POSITIVE_INFINITY, (page) => client.listUsers(page));
    const found = users.find(({ id }) => id === userId);
    return found?.name ?? found?.email ?? userId;
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'FORBIDDEN') return userId;
    throw error;
  }
}

interface ListOptions extends TargetOptions {
  readonly status?: AgentStatus;
  readonly limit: number;
}

export function listAgents(env: Env, options: ListOptions): Promise<void> {
  const { status, limit } = options;
  return withTarget(env, options, async ({ client }) => {
    const agents = await newest(limit, (page) => client.listAgents({ ...page, ...compact({ status }) }));
    const rows = agents.map((each) => [each.did, statusCell(each.status), localTime(each.createdAt), each.displayName]);
    print(options, agents, columns(['DID', 'STATUS', 'SINCE', 'NAME'], rows));
  });
}

export function listLimits(env: Env, options: ListOptions): Promise<void> {
  const { status, limit } = options;
  return withTarget(env, options, async ({ client }) => {
    const agents = await newest(limit, (page) => client.listLimits({ ...page, ...compact({ status }) }));
    const rows = agents.map(({ displayName, status: state, lastSeenAt, limits }) => [
      displayName,
      statusCell(state),
      lastSeenAt === undefined ? 'never' : localTime(lastSeenAt),
      limits.length === 0 ? 'no limit in time' : limits.map(useText).join('; '),
    ]);
    print(options, agents, columns(['NAME', 'STATUS', 'LAST SEEN', 'USED'], rows));
  });
}

/** Such as "3 of 20 purchases and 72.50 USD of 500.00 USD in 1 day". */
function useText({ scope, purchases, maxTransactions, spent, maxAmount, currency, window }: AgentLimitUse): string {
  const used = [
    ...(maxTransactions === undefined ? [] : [`${purchases} of ${maxTransactions} purchases`]),
    ...(maxAmount === undefined
      ? []
      : [
          currency === undefined
            ? `${spent} of ${maxAmount} in any currency`
            : `${money(spent, currency)} of ${money(maxAmount, currency)}`,
        ]),
  ];
  return `${used.join(' and ')} in ${window}${scope === 'policy' ? ', all agents together' : ''}`;
}

export function revokeAgent(env: Env, given: string, options: TargetOptions & { reason: string }): Promise<void> {
  return change(env, given, options, (client, did) => client.revokeAgent({ did, reason: options.reason }));
}

interface SuspendOptions extends TargetOptions {
  readonly all?: boolean;
  readonly reason?: string;
}

export function suspendAgent(env: Env, given: string | undefined, options: SuspendOptions): Promise<void> {
  const { all = false, reason } = options;
  if (all === (given !== undefined)) throw new WrongUse('Give an agent, or --all for every active one.');
  const more = compact({ reason });
  if (given !== undefined) {
    return change(env, given, options, (client, did) => client.suspendAgent({ did, ...more }));
  }
  return withTarget(env, options, async ({ client }) => {
    const suspended = await suspendAll(client, more);
    print(options, suspended, `${suspended.length} ${suspended.length === 1 ? 'agent is' : 'agents are'} suspended.`);
  });
}

/** Suspends until no agent is active, so that one registered meanwhile is not left out. */
async function suspendAll(client: Target['client'], more: { readonly reason?: string }): Promise<Agent[]> {
  const suspended: Agent[] = [];
  for (;;) {
    const { data } = await client.listAgents({ status: 'ACTIVE', limit: MAX_PAGE });
    if (data.length === 0) return suspended;
    for (const { did } of data) {
      try {
        suspended.push(await client.suspendAgent({ did, ...more }));
      } catch (error) {
        // Another caller suspended or revoked it meanwhile.
        if (!(error instanceof Error && 'code' in error && error.code === 'CONFLICT')) throw error;
      }
    }
  }
}

export function reactivateAgent(env: Env, given: string, options: TargetOptions): Promise<void> {
  return change(env, given, options, (client, did) => client.reactivateAgent({ did }));
}

interface LimitOptions extends TargetOptions {
  readonly transactions?: number;
  readonly amount?: number;
  readonly window: string;
}

export function limitAgent(env: Env, given: string, options: LimitOptions): Promise<void> {
  const { transactions: maxTransactions, amount: maxAmount, window: timeWindow } = options;
  if (maxTransactions === undefined && maxAmount === undefined) {
    throw new WrongUse('Give --transactions, --amount or both.');
  }
  const velocity = { timeWindow, ...compact({ maxTransactions, maxAmount }) };
  return change(env, given, options, (client, did) => client.setAgentVelocity({ did, ...velocity }));
}

function change(
  env: Env,
  given: string,
  options: TargetOptions,
  act: (client: Target['client'], did: string) => Promise<Agent>,
): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const changed = await act(client, await agentCalled(client, given));
    print(options, changed, describe(changed));
  });
}

/** One agent, a member a line. */
/** @param more what is known of it besides, by its names */
function describe(agent: Agent, more: Readonly<Record<string, string>> = {}): string {
  const { velocity } = agent;
  const limits = [
    velocity?.maxTransactions === undefined ? [] : `${velocity.maxTransactions} purchases`,
    velocity?.maxAmount === undefined ? [] : `an amount of ${velocity.maxAmount}`,
  ].flat();
  return facts({
    DID: agent.did,
    Status: statusCell(agent.status),
    Name: agent.displayName,
    Description: agent.description || undefined,
    Capabilities: agent.capabilities.join(', ') || undefined,
    'Own limit': velocity === null ? undefined : `${limits.join(' and ')} in ${velocity.timeWindow}`,
    Since: localTime(agent.createdAt),
    Revoked: agent.revokedAt === undefined ? undefined : localTime(agent.revokedAt),
    Reason: agent.reason,
    ...more,
  });
}
