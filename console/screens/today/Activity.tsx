/** What happened last, one sentence each. */
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Domain } from '../../parts/values/Domain.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { When } from '../../parts/values/When.tsx';
import type { Sentence } from './sentences.ts';

export function Activity({ sentences }: { readonly sentences: readonly Sentence[] }) {
  return (
    <ul class="rows">
      {sentences.map(({ key, agentDid, did, amount, currency, to, merchant, tail, time, href }) => (
        <li key={key}>
          <a class="row" href={href}>
            <span class="row-main">
              <span>
                <AgentName did={agentDid} /> {did} <Money amount={amount} currency={currency} /> {to}{' '}
                <Domain name={merchant} />
                {tail}
              </span>
            </span>
            <span class="row-end">
              <When time={time} inLink />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
