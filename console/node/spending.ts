/** What was spent, by agent or by day. */
import { each } from '../../client/records.ts';
import { node } from './node.ts';

/** What one agent spent in one currency, or all of them on one day. */
export interface Spent {
  /** The agent's DID, or the day as YYYY-MM-DD. */
  readonly key: string;
  readonly currency: string;
  /** Paid, less what came back. */
  readonly amount: number;
}

export interface Spending {
  readonly byAgent: readonly Spent[];
  readonly byDay: readonly Spent[];
  /** Whether there were more payments than were added up. */
  readonly isPartial: boolean;
}

const MOST_PAYMENTS = 1000;

/** @param from, to days as YYYY-MM-DD, both included */
export async function loadSpending(from: string, to: string, signal: AbortSignal): Promise<Spending> {
  const byAgent = new Map<string, Spent>();
  const byDay = new Map<string, Spent>();
  let count = 0;
  const range = { from: `${from}T00:00:00.000Z`, to: `${to}T23:59:59.999Z`, limit: 200 };
  for await (const { agentDid, captured, refunded, currency, createdAt } of each(node.listPayments, range, {
    signal,
  })) {
    count += 1;
    if (count > MOST_PAYMENTS) break;
    if (captured === 0) continue;
    add(byAgent, agentDid, currency, captured - refunded);
    add(byDay, createdAt.slice(0, 10), currency, captured - refunded);
  }
  return { byAgent: [...byAgent.values()], byDay: [...byDay.values()], isPartial: count > MOST_PAYMENTS };
}

function add(sums: Map<string, Spent>, key: string, currency: string, amount: number): void {
  const name = `${key} ${currency}`;
  sums.set(name, { key, currency, amount: (sums.get(name)?.amount ?? 0) + amount });
}
