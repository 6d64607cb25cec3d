/** What came out of a replay. */
import { Empty } from '../../../../parts/Empty.tsx';
import { outcomeOf } from '../../../../parts/rules/outcomeOf.ts';
import { AgentName } from '../../../../parts/values/AgentName.tsx';
import { amountText } from '../../../../parts/values/amount.ts';
import { Money } from '../../../../parts/values/Money.tsx';
import { Status } from '../../../../parts/values/Status.tsx';
import { When } from '../../../../parts/values/When.tsx';
import { hrefOf } from '../../../../shell/places.ts';
import type { ReplayOutput } from './useReplay.ts';

type Flip = ReplayOutput['flips'][number];

export function Replayed({ result, isOld }: { readonly result: ReplayOutput; readonly isOld: boolean }) {
  const { requests, wereAllowed, wouldBeAllowed, wouldNeedPresence, flipped, flips, complete, since } = result;
  if (requests === 0) {
    return (
      <Empty title="Nothing was asked for in that time">
        <p>Choose a longer time, or let an agent ask for something first.</p>
      </Empty>
    );
  }
  return (
    <div class="outcome">
      {isOld && <p class="note">The draft has changed since. Judge them again.</p>}
      {!complete && (
        <p class="note">
          More was asked than one comparison reads: what was asked before <When time={since} /> is not judged.
        </p>
      )}
      <p>
        <strong>
          {flipped === 0
            ? `No decision of ${requests} would be another.`
            : `${flipped} of ${requests} decisions would be others.`}
        </strong>
      </p>
      <dl class="facts">
        <div>
          <dt>Allowed</dt>
          <dd>
            {wereAllowed} → {wouldBeAllowed}
            {wouldNeedPresence > 0 &&
              `, of which ${wouldNeedPresence} ${wouldNeedPresence === 1 ? 'needs' : 'need'} a person`}
          </dd>
        </div>
        <MoneyRow money={result.money} />
      </dl>
      {flips.length > 0 && (
        <ul class="rows">
          {flips.map((flip) => (
            <li key={flip.seq}>
              <FlipRow flip={flip} />
            </li>
          ))}
        </ul>
      )}
      {flipped > flips.length && <p class="quiet">The newest {flips.length} of them are shown.</p>}
    </div>
  );
}

function MoneyRow({ money }: { readonly money: ReplayOutput['money'] }) {
  return (
    <>
      {money.map(({ currency, wasAllowed, wouldBeAllowed }) => (
        <div key={currency}>
          <dt>Up to</dt>
          {/* Two amounts are wider than a phone. */}
          <dd>
            <span class="money">{amountText(wasAllowed, currency)}</span> →{' '}
            <span class="money">{amountText(wouldBeAllowed, currency)}</span>
          </dd>
        </div>
      ))}
    </>
  );
}

function FlipRow({ flip }: { readonly flip: Flip }) {
  const { transactionId, agentDid, merchantDomain, amount, currency, createdAt, was, would, details = {} } = flip;
  const messages = Object.values(details).map(({ message }) => message);
  return (
    <a class="row" href={hrefOf(`/decisions/${encodeURIComponent(transactionId)}`)}>
      <span class="row-main">
        <bdi>{merchantDomain ?? 'At no named merchant'}</bdi>
        <span class="quiet">
          <AgentName did={agentDid} /> · <When time={createdAt} inLink />
        </span>
        <span>
          <Status state={outcomeOf(was)} /> <span aria-hidden="true">→</span>
          <span class="unseen">would be</span> <Status state={outcomeOf(would)} />
        </span>
        {messages.length > 0 && <bdi class="quiet">{messages.join(' ')}</bdi>}
      </span>
      <span class="row-end">
        <Money amount={amount} currency={currency} />
      </span>
    </a>
  );
}
