/** What needs a person, the most urgent first. */
import type { Need } from '../../node/attention.ts';
import { Empty } from '../../parts/Empty.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Left } from '../../parts/values/Left.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { When } from '../../parts/values/When.tsx';

export function NeedsYou({ needs }: { readonly needs: readonly Need[] }) {
  if (needs.length === 0) {
    return (
      <Empty title="Nothing waits for you">
        <p>Purchases that need your approval, payments without an outcome, disputes and frozen agents appear here.</p>
      </Empty>
    );
  }
  return (
    <ul class="rows">
      {needs.map((need) => (
        <li key={need.key}>
          <a class="row" href={need.href}>
            <span class="row-main">
              <span>
                <AgentName did={need.agentDid} /> {need.text}
              </span>
              {need.merchant !== undefined && <bdi class="quiet">{need.merchant}</bdi>}
            </span>
            <span class="row-end">
              {need.amount !== undefined && need.currency !== undefined && (
                <Money amount={need.amount} currency={need.currency} />
              )}
              {need.until === undefined ? <When time={need.since} inLink /> : <Left until={need.until} />}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
