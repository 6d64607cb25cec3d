/** What was spent today, in 7 and in 30 days, on which day, and by which agent, with what is used of its limits. */

import { saveCsv } from '../../node/files.ts';
import { largest, loadSpending, type Spending, type SpendTotal } from '../../node/spending.ts';
import { type LoadState, useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/chart/Chart.tsx';
import { CsvButton } from '../../parts/table/CsvButton.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { amountOf } from '../../parts/values/amount.ts';
import { dayBefore, today as dayHere, timezone } from '../../parts/values/days.ts';
import { Money } from '../../parts/values/Money.tsx';
import { hrefOf } from '../../shell/places.ts';
import { Line } from './Line.tsx';
import { ownLine, sharedLines } from './limitLines.ts';
import { currenciesOf, series, sumSince } from './sums.ts';

const DAYS = 30;
const KINDS = ['payment', 'intent', 'agent', 'policy'];
const SPANS = [
  ['Spent today', 0],
  ['Spent in 7 days', 6],
  ['Spent in 30 days', DAYS - 1],
] as const;

/** Asked for beside the rest of the first screen. */
export function useSpending(): { readonly today: string; readonly spending: LoadState<Spending> } {
  const today = dayHere();
  const spending = useLoaded(
    `spend ${today}`,
    (signal) => loadSpending(periodTo(today), dayBefore(today, 2 * DAYS - 1), signal),
    KINDS,
  );
  return { today, spending };
}

/** What the node is asked for. */
function periodTo(today: string) {
  return { from: dayBefore(today, DAYS - 1), to: today, timezone: timezone() };
}

interface SpendProps {
  readonly today: string;
  readonly spending: Spending;
}

/** The sums of the currency that is used most, in one line. */
export function Figures({ today, spending }: SpendProps) {
  const [currency] = shownCurrencies(spending, today);
  return (
    <section class="card figures" aria-label="Spent">
      {currency === undefined ? (
        <p class="quiet">Nothing was spent in 30 days. A payment counts once its money has been captured.</p>
      ) : (
        <Sums spending={spending} currency={currency} today={today} />
      )}
    </section>
  );
}

/** By day and by agent, and what is used of the limits. */
export function Spend({ today, spending }: SpendProps) {
  const currencies = shownCurrencies(spending, today);
  const shared = sharedLines(spending.limits.values());
  if (currencies.length === 0 && shared.length === 0) return null;
  return (
    <Card
      title="Spent in 30 days"
      class="spend"
      aside={<CsvButton onSave={() => saveCsv('admin/spend', { ...periodTo(today), by: 'day' })} />}
    >
      {currencies.map((currency, index) => (
        <InCurrency key={currency} spending={spending} currency={currency} today={today} isFirst={index === 0} />
      ))}
      {shared.length > 0 && (
        <>
          <h3>Limits that all agents share</h3>
          <ul class="bars">
            {shared.map((line) => (
              <li key={line.name} class="bar-row">
                <Line of={line} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="quiet">
        Paid is what was captured, less what was refunded. A limit counts what is reserved and what waits for you as
        well.
      </p>
    </Card>
  );
}

/** A currency in which nothing was paid or is held has nothing to show. */
function shownCurrencies({ byDay, held }: Spending, today: string): readonly string[] {
  const first = dayBefore(today, DAYS - 1);
  return currenciesOf(byDay).filter(
    (currency) =>
      (held.get(currency) ?? 0) > 0 ||
      byDay.some((spent) => spent.currency === currency && spent.key >= first && spent.minor !== 0),
  );
}

function Minor({ minor, currency }: { readonly minor: number; readonly currency: string }) {
  return <Money amount={amountOf(minor, currency)} currency={currency} />;
}

interface InCurrencyProps extends SpendProps {
  readonly currency: string;
}

function Sums({ spending, currency, today }: InCurrencyProps) {
  const held = spending.held.get(currency) ?? 0;
  return (
    <dl class="spans">
      {SPANS.map(([name, back]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Minor minor={sumSince(spending.byDay, currency, dayBefore(today, back))} currency={currency} />
          </dd>
        </div>
      ))}
      {held > 0 && (
        <div>
          <dt>Reserved</dt>
          <dd>
            <Minor minor={held} currency={currency} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function InCurrency({ spending, currency, today, isFirst }: InCurrencyProps & { readonly isFirst: boolean }) {
  const days = series(spending.byDay, currency, today, DAYS);
  const first = dayBefore(today, DAYS - 1);
  const agents = spending.byAgent.filter((spent) => spent.currency === currency);
  const most = largest(agents);
  return (
    <div class="in-currency">
      {!isFirst && <Sums spending={spending} currency={currency} today={today} />}
      <p class="chart-sum">
        <strong>
          <Minor minor={sumSince(spending.byDay, currency, first)} currency={currency} />
        </strong>
        <span class="quiet">
          <Minor minor={sumSince(spending.byDay, currency, dayBefore(first, DAYS), first)} currency={currency} /> in the{' '}
          {DAYS} days before
        </span>
      </p>
      <Chart days={days} currency={currency} hrefOf={(day) => hrefOf('/payments', { from: day, to: day, currency })} />
      <h3>
        {most.length < agents.length ? `The ${most.length} of ${agents.length} agents that spent most` : 'By agent'}, in{' '}
        {DAYS} days
      </h3>
      <Bars agents={most} limits={spending.limits} />
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
      {agents.map(({ key, minor, held, currency }) => {
        const line = ownLine(limits.get(key) ?? []);
        return (
          <li key={key}>
            <a class="bar-row" href={`#/agents/${encodeURIComponent(key)}`}>
              <AgentName did={key} />
              <span>
                <Minor minor={minor} currency={currency} />
                {held > 0 && (
                  <span class="quiet">
                    {' '}
                    paid + <Minor minor={held} currency={currency} /> reserved
                  </span>
                )}
              </span>
              {line !== undefined && <Line of={line} />}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
