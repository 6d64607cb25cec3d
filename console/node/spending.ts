/** What was spent, by agent and by day, and what is used of the limits of those who spent it. */
import type { Operations, SpendEntry } from '../../client/operations.ts';
import { node } from './node.ts';

/** What was paid and not refunded in one currency: by one agent, or by all of them on one day. */
export interface SpendTotal {
  /** The agent's DID, or the day as YYYY-MM-DD. */
  readonly key: string;
  readonly currency: string;
  /** In minor units of the currency, which add up exactly. */
  readonly minor: number;
  /** What is reserved besides, and not captured yet. */
  readonly held: number;
}

export interface Spending {
  readonly byAgent: readonly SpendTotal[];
  /** Of twice as many days: those before are compared with. */
  readonly byDay: readonly SpendTotal[];
  /** What rails hold and is not captured yet, by currency. */
  readonly held: ReadonlyMap<string, number>;
  /** By the agent's DID, of those who spent most. */
  readonly limits: ReadonlyMap<string, Limits>;
}

type Limits = Operations['listLimits']['output']['data'][number]['limits'];

/** Of each currency so many agents are shown. */
const MOST_AGENTS = 6;
/** Most nodes have no more agents than these, which are asked for at the same time as the sums. */
const NEWEST = 25;
/** What the node takes. */
const MOST_ASKED = 50;

/** Days as YYYY-MM-DD, both included, and the time zone in which they begin. */
interface Days {
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
}

/** @param before the first of the days that are compared with */
export async function loadSpending(days: Days, before: string, signal: AbortSignal): Promise<Spending> {
  const [agents, byDay, newest] = await Promise.all([
    node.showSpend({ ...days, by: 'agent' }, { signal }),
    node.showSpend({ ...days, from: before, by: 'day' }, { signal }),
    node.listLimits({ limit: NEWEST }, { signal }),
  ]);
  const byAgent = agents.entries.map((entry) => spentOf(entry, entry.agentDid));
  const limits = new Map(newest.data.map((agent) => [agent.did, agent.limits]));
  const missing = [...new Set(largest(byAgent).map(({ key }) => key))].filter((did) => !limits.has(did));
  if (missing.length > 0) {
    const asked = { agents: missing.slice(0, MOST_ASKED), limit: MOST_ASKED };
    for (const agent of (await node.listLimits(asked, { signal })).data) limits.set(agent.did, agent.limits);
  }
  return {
    limits,
    byAgent,
    byDay: byDay.entries.map((entry) => spentOf(entry, entry.day)),
    held: heldIn(byDay),
  };
}

/** Those who spent most in each currency, the first of each currency first. */
export function largest(byAgent: readonly SpendTotal[]): readonly SpendTotal[] {
  const sorted = [...byAgent].sort((one, other) => other.minor - one.minor);
  const currencies = [...new Set(sorted.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => sorted.filter((spent) => spent.currency === currency).slice(0, MOST_AGENTS));
}

function spentOf({ currency, net, held }: SpendEntry, key = ''): SpendTotal {
  return { key, currency, minor: net.minor, held: held.minor };
}

function heldIn({ totals }: Operations['showSpend']['output']): ReadonlyMap<string, number> {
  return new Map(totals.map(({ currency, held }) => [currency, held.minor]));
}
