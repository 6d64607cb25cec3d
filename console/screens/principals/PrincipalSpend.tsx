/** What was spent of a principal's money in 30 days, by currency and by agent. */
import type { Operations, SpendEntry } from '../../../client/operations.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { amountOf } from '../../parts/values/amount.ts';
import { Money } from '../../parts/values/Money.tsx';

type Spent = Operations['showSpend']['output'];

export function PrincipalSpend({ spend: { totals, entries } }: { readonly spend: Spent }) {
  return (
    <Card title="Spent in 30 days">
      {totals.length === 0 ? (
        <Empty title="Nothing spent in 30 days">
          <p>A payment counts on the day it was made, once its money has been captured.</p>
        </Empty>
      ) : (
        totals.map(({ currency, net, held }) => (
          <div key={currency} class="in-currency">
            <p class="total">
              <Money amount={amountOf(net.minor, currency)} currency={currency} />
            </p>
            <ul class="rows">
              {entries
                .filter((entry) => entry.currency === currency)
                .sort((one, other) => other.net.minor - one.net.minor)
                .map((entry) => (
                  <ByAgent key={entry.agentDid} entry={entry} />
                ))}
            </ul>
            {held.minor > 0 && (
              <p class="quiet">
                Reserved: <Money amount={amountOf(held.minor, currency)} currency={currency} />, not captured yet.
              </p>
            )}
          </div>
        ))
      )}
    </Card>
  );
}

function ByAgent({ entry: { agentDid = '', net, currency } }: { readonly entry: SpendEntry }) {
  return (
    <li>
      <a class="row" href={`#/agents/${encodeURIComponent(agentDid)}`}>
        <span class="row-main">
          <AgentName did={agentDid} />
        </span>
        <span class="row-end">
          <Money amount={amountOf(net.minor, currency)} currency={currency} />
        </span>
      </a>
    </li>
  );
}
