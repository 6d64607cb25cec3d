/** What was spent, by agent and by day. */
import type { Operations, SpendEntry } from '../../client/operations.ts';
import { node } from './node.ts';

/** What was paid and not refunded in one currency: by one agent, or by all of them on one day. */
export interface Spent {
  /** The agent's DID, or the day as YYYY-MM-DD. */
  readonly key: string;
  readonly currency: string;
  /** In minor units of the currency, which add up exactly. */
  readonly minor: number;
}

export interface Spending {
  readonly byAgent: readonly Spent[];
  readonly byDay: readonly Spent[];
  /** What rails hold and nobody has captured yet, by currency. */
  readonly held: ReadonlyMap<string, number>;
}

/** @param from, to days as YYYY-MM-DD in UTC, both included */
export async function loadSpending(from: string, to: string, signal: AbortSignal): Promise<Spending> {
  const [agents, days] = await Promise.all([
    node.showSpend({ from, to, by: 'agent' }, { signal }),
    node.showSpend({ from, to, by: 'day' }, { signal }),
  ]);
  return {
    byAgent: agents.entries.map((entry) => spentOf(entry, entry.agentDid)),
    byDay: days.entries.map((entry) => spentOf(entry, entry.day)),
    held: heldIn(days),
  };
}

function spentOf({ currency, net }: SpendEntry, key = ''): Spent {
  return { key, currency, minor: net.minor };
}

function heldIn({ totals }: Operations['showSpend']['output']): ReadonlyMap<string, number> {
  return new Map(totals.map(({ currency, held }) => [currency, held.minor]));
}
