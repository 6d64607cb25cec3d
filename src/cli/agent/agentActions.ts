/** What `countersign agent` does with agents at a node. */
import { CountersignError } from '../../../client/error.ts';
import type { Agent } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { MAX_PAGE } from '../../../protocol/wire/page.ts';
import { WrongUse } from '../commandFailure.ts';
import { readJsonFile } from '../input/files.ts';
import { facts, localTime, statusCell } from '../output/layout.ts';
import { agentLimitText, limitTable, ownLimitsText, ownVelocityText } from '../output/limitText.ts';
import { print } from '../output/print.ts';
import { type ListOptions, listRecords } from '../target/listRecords.ts';
import { agentCalled, newest } from '../target/names.ts';
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
    const states = (await client.showAgentLimits({ did })).limits;
    const owner = found.ownerUserId === undefined ? undefined : await ownerName(client, found.ownerUserId);
    const seen = lastSeenAt === undefined ? 'never' : localTime(lastSeenAt);
    const used = states.length === 0 ? { Limits: 'none in time' } : undefined;
    const text = describe(found, await policyCurrency(client), { Owner: owner ?? 'none', 'Last seen': seen, ...used });
    print(options, { ...found, limits }, states.length === 0 ? text : `${text}\n\n${limitTable(states)}`);
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

export function listAgents(env: Env, options: ListOptions): Promise<void> {
  return listRecords(env, options, 'listAgents', {
    heads: ['DID', 'STATUS', 'SINCE', 'NAME'],
    row: (each) => [each.did, statusCell(each.status), localTime(each.createdAt), each.displayName],
  });
}

export function listLimits(env: Env, options: ListOptions): Promise<void> {
  return listRecords(env, options, 'listLimits', {
    heads: ['NAME', 'STATUS', 'LAST SEEN', 'USED'],
    row: ({ displayName, status, lastSeenAt, limits }) => [
      displayName,
      statusCell(status),
      lastSeenAt === undefined ? 'never' : localTime(lastSeenAt),
      limits.length === 0 ? 'no limit in time' : limits.map((use) => agentLimitText(use)).join('; '),
    ],
  });
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
  readonly window?: string;
  readonly limits?: string;
}

type OwnLimits = NonNullable<Agent['velocity']>;

/** The node takes an agent's own limits as a whole, so that those that no option names are sent as they are. */
export function limitAgent(env: Env, given: string, options: LimitOptions): Promise<void> {
  const asked = { ...velocityIn(options), ...limitsIn(options) };
  if (Object.keys(asked).length === 0) {
    throw new WrongUse('Give --transactions, --amount or both with --window, or --limits.');
  }
  return change(env, given, options, async (client, did) => {
    const { velocity } = await client.getAgent({ did });
    const { limits, ...former } = velocity ?? {};
    const kept = asked.timeWindow === undefined ? former : {};
    return client.setAgentVelocity({ did, ...kept, ...compact({ limits }), ...asked });
  });
}

function velocityIn({ transactions, amount, window }: LimitOptions): Omit<OwnLimits, 'limits'> {
  if (transactions === undefined && amount === undefined) {
    if (window !== undefined) throw new WrongUse('Give --transactions, --amount or both.');
    return {};
  }
  if (window === undefined) throw new WrongUse('Give --window with --transactions or --amount, such as 24h.');
  return { timeWindow: window, ...compact({ maxTransactions: transactions, maxAmount: amount }) };
}

function limitsIn({ limits: file }: LimitOptions): Pick<OwnLimits, 'limits'> {
  if (file === undefined) return {};
  const limits = readJsonFile(file);
  // What is wrong within it the node says.
  if (Array.isArray(limits)) return { limits };
  throw new WrongUse(`${file} does not hold a list; one is [{"name": "trips", "maxAmount": 500, "window": "month"}].`);
}

function change(
  env: Env,
  given: string,
  options: TargetOptions,
  act: (client: Target['client'], did: string) => Promise<Agent>,
): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const changed = await act(client, await agentCalled(client, given));
    print(options, changed, describe(changed, await policyCurrency(client)));
  });
}

/** The policy's currency, in which limits that name none are told; undefined where it names none, or may not be seen. */
async function policyCurrency(client: Target['client']): Promise<string | undefined> {
  try {
    const { rules } = await client.currentPolicy();
    return (rules as { readonly spend?: { readonly currency?: string } }).spend?.currency;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/**
 * One agent, a member a line.
 * @param currency of limits that name none @param more what is known of it besides, by its names
 */
function describe(agent: Agent, currency: string | undefined, more: Readonly<Record<string, string>> = {}): string {
  const { velocity } = agent;
  return facts({
    DID: agent.did,
    Status: statusCell(agent.status),
    Name: agent.displayName,
    Description: agent.description || undefined,
    Capabilities: agent.capabilities.join(', ') || undefined,
    'Own limit': velocity === null ? undefined : ownVelocityText(velocity, currency),
    'Own limits': velocity === null ? undefined : ownLimitsText(velocity, currency),
    Since: localTime(agent.createdAt),
    Revoked: agent.revokedAt === undefined ? undefined : localTime(agent.revokedAt),
    Reason: agent.reason,
    ...more,
  });
}
