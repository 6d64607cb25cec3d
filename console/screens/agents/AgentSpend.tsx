/** What an agent spent: today and in 30 days, by currency. */

import { node } from '../../node/node.ts';
import { amountOf } from '../../parts/values/amount.ts';
import { dayBefore, today as dayHere, timezone } from '../../parts/values/days.ts';
import { Money } from '../../parts/values/Money.tsx';

const DAYS = 30;

export interface AgentSum {
  readonly currency: string;
  /** In minor units, captured and not refunded. */
  readonly today: number;
  readonly month: number;
}

export async function loadSpent(did: string, signal: AbortSignal): Promise<readonly AgentSum[]> {
  const to = dayHere();
  const asked = { to, by: 'agent', timezone: timezone() } as const;
  const [today, month] = await Promise.all([
    node.showSpend({ ...asked, from: to }, { signal }),
    node.showSpend({ ...asked, from: dayBefore(to, DAYS - 1) }, { signal }),
  ]);
  const own = ({ entries }: typeof today) => entries.filter(({ agentDid }) => agentDid === did);
  return own(month).map(({ currency, net }) => ({
    currency,
    today: own(today).find((each) => each.currency === currency)?.net.minor ?? 0,
    month: net.minor,
  }));
}

export function AgentSpend({ sums }: { readonly sums: readonly AgentSum[] }) {
  if (sums.length === 0) return <p class="quiet">Nothing spent in 30 days.</p>;
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
