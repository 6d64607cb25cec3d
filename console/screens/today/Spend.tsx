/** What was spent today, in 7 and in 30 days, on which day, and by which agent, with what is used of its limits. */
import { largest, loadSpending, type Spending, type SpendTotal } from '../../node/spending.ts';
import { type Loaded, useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/chart/Chart.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { LimitBar } from '../../parts/limits/LimitBar.tsx';
import { tightest } from '../../parts/limits/measures.ts';
import { Shown } from '../../parts/Shown.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { amountOf } from '../../parts/values/amount.ts';
import { Money } from '../../parts/values/Money.tsx';
import { hrefOf } from '../../shell/places.ts';
import { currenciesOf, dayBefore, series, sumSince } from './sums.ts';

const DAYS = 30;
const KINDS = ['payment', 'intent', 'agent', 'policy'];
const SPANS = [
  ['Today', 0],
  ['7 days', 6],
  ['30 days', DAYS - 1],
] as const;

/** Asked for beside the rest of the first screen. */
export function useSpending(): { readonly today: string; readonly spending: Loaded<Spending> } {
  const today = new Date().toISOString().slice(0, 10);
  const from = dayBefore(today, DAYS - 1);
  const spending = useLoaded(`spend ${today}`, (signal) => loadSpending(from, today, signal), KINDS);
  return { today, spending };
}

export function Spend({ today, spending }: ReturnType<typeof useSpending>) {
  return (
    <Card title="Spent" class="spend">
      <Shown of={spending} rows={3} height={7}>
        {(found) => <Sums spending={found} today={today} />}
      </Shown>
    </Card>
  );
}

function Sums({ spending, today }: { readonly spending: Spending; readonly today: string }) {
  const currencies = currenciesOf(spending.byDay).filter((currency) => isShown(spending, currency));
  if (currencies.length === 0) {
    return (
      <Empty title="Nothing was spent in 30 days">
        <p>A payment counts on the day it was made, once its money has been captured.</p>
      </Empty>
    );
  }
  return (
    <>
      {currencies.map((currency) => (
        <InCurrency key={currency} spending={spending} currency={currency} today={today} />
      ))}
      <p class="quiet">Captured, less what was refunded. Days are in UTC.</p>
    </>
  );
}

/** A currency in which nothing was paid or is held has nothing to show. */
function isShown({ byDay, held }: Spending, currency: string): boolean {
  return (held.get(currency) ?? 0) > 0 || byDay.some((spent) => spent.currency === currency && spent.minor !== 0);
}

function Minor({ minor, currency }: { readonly minor: number; readonly currency: string }) {
  return <Money amount={amountOf(minor, currency)} currency={currency} />;
}

interface InCurrencyProps {
  readonly spending: Spending;
  readonly currency: string;
  readonly today: string;
}

function InCurrency({ spending, currency, today }: InCurrencyProps) {
  const days = series(spending.byDay, currency, today, DAYS);
  const held = spending.held.get(currency) ?? 0;
  const agents = spending.byAgent.filter((spent) => spent.currency === currency);
  return (
    <div class="in-currency">
      <dl class="spans">
        {SPANS.map(([name, back]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Minor minor={sumSince(spending.byDay, currency, dayBefore(today, back))} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
      <Chart days={days} currency={currency} hrefOf={(day) => hrefOf('/payments', { from: day, to: day, currency })} />
      <Bars agents={agents} limits={spending.limits} />
      {held > 0 && (
        <p class="quiet">
          Besides, <Minor minor={held} currency={currency} /> is reserved and not captured yet.
        </p>
      )}
    </div>
  );
}

interface BarsProps {
  readonly agents: readonly SpendTotal[];
  readonly limits: Spending['limits'];
}

function Bars({ agents, limits }: BarsProps) {
  return (
    <ul class="bars">
      {largest(agents).map(({ key, minor, currency }) => (
        <li key={key}>
          <a class="bar-row" href={`#/agents/${encodeURIComponent(key)}`}>
            <AgentName did={key} />
            <Minor minor={minor} currency={currency} />
            <Used limits={limits.get(key) ?? []} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Used({ limits }: { readonly limits: Parameters<typeof tightest>[0] }) {
  const measured = tightest(limits);
  return measured === undefined ? <span class="limit quiet">No limit in time</span> : <LimitBar measured={measured} />;
}
