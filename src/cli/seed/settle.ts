/** Before the first purchase of a seeded month: its policy, whose money it is, the agents, and the shops' keys. */
import { type Agent, type Client, each, makeAgent } from '../../../client/index.ts';
import { AGENTS, type AgentName, OWNERS, PEOPLE, SHOPS, type ShopName } from './catalog.ts';
import { ALONE_CENTS, type MonthPlan, meantToPass, type Purchase, totalOf, WITH_PERSON_CENTS } from './planMonth.ts';
import type { SeededPerson } from './seededNode.ts';

export interface Household {
  readonly agents: Readonly<Record<AgentName, string>>;
  /** The DID of whose money an agent spends. */
  principalOf(agent: AgentName): string;
  readonly merchants: Readonly<Record<ShopName, Agent>>;
}

/** Publishes the month's policy. @returns what it is called, and the version that was in force until then */
export async function publishPolicy(client: Client, plan: MonthPlan): Promise<SeededPolicy> {
  const { name: former, version } = await client.currentPolicy();
  const name = 'Household and office';
  await client.createPolicy({ name, rules: rulesFor(plan, await spentBefore(client)) });
  return { name, former: `${former}, version ${version}` };
}

export interface SeededPolicy {
  readonly name: string;
  readonly former: string;
}

/** @param wait lets time pass, in minutes @param ownerDid of the node's owner, whose own passkey approves for one of the principals */
export async function settle(
  client: Client,
  person: SeededPerson,
  wait: (minutes: number) => void,
  ownerDid: string | undefined,
): Promise<Household> {
  const agents = new Map<AgentName, string>();
  for (const { name, description } of AGENTS) {
    wait(3);
    const { did, publicKey } = makeAgent();
    await client.registerAgent({ name, description, publicKey });
    agents.set(name, did);
  }
  const principals = new Map<string, string>();
  for (const name of PEOPLE) {
    wait(4);
    const did = name === OWNERS && ownerDid !== undefined ? ownerDid : makeAgent().did;
    const own = AGENTS.filter(({ of }) => of === name).map((agent) => agents.get(agent.name) as string);
    await client.registerPrincipal({ did, name, agents: own });
    principals.set(name, did);
    await person.enroll((await client.createEnrollment({ principalDid: did })).url);
  }
  const merchants = new Map<ShopName, Agent>();
  for (const [name, { domain, mcc, country }] of Object.entries(SHOPS)) {
    wait(2);
    const merchant = makeAgent();
    await client.bindMerchant({ domain, did: merchant.did, mcc, country });
    merchants.set(name as ShopName, merchant);
  }
  const ownerOf = new Map(AGENTS.map(({ name, of }) => [name, principals.get(of) as string]));
  return {
    agents: Object.fromEntries(agents) as Household['agents'],
    principalOf: (agent) => ownerOf.get(agent) as string,
    merchants: Object.fromEntries(merchants) as Household['merchants'],
  };
}

/** How full the tightest limits are at the end of the month. */
const FULL = 0.94;

/** What limits of all agents count besides this month, at most: in units of USD. */
async function spentBefore(client: Client): Promise<number> {
  let sum = 0;
  for await (const { amount, currency } of each(client.listPayments, { limit: 200 })) {
    if (currency === 'USD') sum += amount;
  }
  return sum;
}

function rulesFor(plan: MonthPlan, before: number) {
  const meant = meantToPass(plan);
  const sumOf = (isCounted: (purchase: Purchase) => boolean) =>
    meant.filter(isCounted).reduce((sum, purchase) => sum + totalOf(purchase), 0) / 100;
  const mostOf = (sums: readonly number[]) => roundUp(Math.max(...sums), 250);
  const ownerOf = new Map<string, string>(AGENTS.map(({ name, of }) => [name, of]));
  const groceries = sumOf(({ shop }) => shop === 'groceries' || shop === 'coffee');
  return {
    version: '2.0',
    spend: { amount_cap: ALONE_CENTS / 100, presence_cap: WITH_PERSON_CENTS / 100, currency: 'USD' },
    merchant: { deny_list: [SHOPS.watches.domain, 'scam-store.example'], mcc_deny: [SHOPS.casino.mcc] },
    context: { presence: 'optional', presence_threshold: ALONE_CENTS / 100, approval_ttl: '24h' },
    risk: {
      velocity_limit: { max_transactions: 40, time_window: '24h' },
      duplicate: { window: '10m', action: 'deny', above: 5 },
      limits: [
        {
          name: 'groceries and coffee',
          max_amount: roundUp(groceries / FULL + before, 10),
          window: '30d',
          scope: 'policy',
          category: 'groceries',
        },
        {
          name: 'each agent',
          max_amount: mostOf(AGENTS.map(({ name }) => sumOf(({ agent }) => agent === name))),
          window: '30d',
        },
        {
          name: 'each budget',
          max_amount: mostOf(PEOPLE.map((name) => sumOf(({ agent }) => ownerOf.get(agent) === name))),
          window: '30d',
          scope: 'principal',
        },
        {
          name: 'everything',
          max_amount: roundUp(25_000 + before, 1000),
          window: 'quarter',
          scope: 'policy',
          action: 'presence',
        },
      ],
    },
    rails: { allow: ['CARD_RAIL'], priorities: ['CARD_RAIL'] },
  } as const;
}

function roundUp(amount: number, to: number): number {
  return Math.ceil(amount / to) * to;
}
