/** What an agent spent: today and in 30 days, by currency. */
import { node } from '../../node/node.ts';
import { amountOf } from '../../parts/values/amount.ts';
import { Money } from '../../parts/values/Money.tsx';

const DAY_MS = 86_400_000;
const DAYS = 30;

export interface AgentSum {
  readonly currency: string;
  /** In minor units, captured and not refunded. */
  readonly today: number;
  readonly month: number;
}

export async function loadSpent(did: string, signal: AbortSignal): Promise<readonly AgentSum[]> {
  const day = (before: number) => new Date(Date.now() - before * DAY_MS).toISOString().slice(0, 10);
  const [today, month] = await Promise.all([
    node.showSpend({ from: day(0), to: day(0), by: 'agent' }, { signal }),
    node.showSpend({ from: day(DAYS - 1), to: day(0), by: 'agent' }, { signal }),
  ]);
  const own = ({ entries }: typeof today) => entries.filter(({ agentDid }) => agentDid === did);
  return own(month).map(({ currency, net }) => ({
    currency,
    today: own(today).find((each) => each.currency === currency)?.net.minor ?? 0,
    month: net.minor,
  }));
}

export function AgentSpend({ sums }: { readonly sums: readonly AgentSum[] }) {
  if (sums.length === 0) return <p class="quiet">It has spent nothing in 30 days.</p>;
  return (
    <>
      {sums.map(({ currency, today, month }) => (
        <dl key={currency} class="spans">
          <Sum name="Spent today" minor={today} currency={currency} />
          <Sum name="Spent in 30 days" minor={month} currency={currency} />
        </dl>
      ))}
    </>
  );
}

function Sum({ name, minor, currency }: { readonly name: string; readonly minor: number; readonly currency: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Money amount={amountOf(minor, currency)} currency={currency} />
      </dd>
    </div>
  );
}
