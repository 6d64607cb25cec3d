/** What would have passed: the smallest changes of a refused request, each of which the policy has allowed when it was asked again. */
import type { Operations } from '../../../client/operations.ts';
import { Money } from '../values/Money.tsx';
import { When } from '../values/When.tsx';

type Counterfactual = NonNullable<Operations['simulateDraft']['output']['counterfactual']>;
type Change = Counterfactual['alone'][number];

const PLACES: Readonly<Partial<Record<Change['change'], string>>> = {
  merchant: 'At a merchant that the policy names',
  category: 'In a category that the policy names',
  country: 'In a country that the policy names',
};

export function WhatPasses({ of: { alone, together } }: { readonly of: Counterfactual }) {
  const changes = alone.length > 0 ? alone : together;
  // What is against it stands beside this already.
  if (changes.length === 0)
    return (
      <p class="passes">
        No other amount, time or person would have made it pass: what stands against it has to change first.
      </p>
    );
  return (
    <div class="passes">
      <p>{introOf(alone, together)}</p>
      <ul class="causes">
        {changes.map((change) => (
          <li key={change.change}>
            <WithChange change={change} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function introOf(alone: readonly Change[], together: readonly Change[]): string {
  if (alone.length === 1 || together.length === 1) return 'It would have passed with one change:';
  return alone.length > 1
    ? 'It would have passed with any one of these changes:'
    : 'It would have passed with all of these changes together:';
}

function WithChange({ change }: { readonly change: Change }) {
  const { amount, currency, from, names } = change;
  if (amount !== undefined && currency !== undefined) {
    return (
      <>
        An amount of{' '}
        <strong>
          <Money amount={amount} currency={currency} />
        </strong>{' '}
        at most.
      </>
    );
  }
  if (from !== undefined) {
    return (
      <>
        From{' '}
        <strong>
          <When time={from} />
        </strong>{' '}
        on, if nothing else is bought until then.
      </>
    );
  }
  if (change.change === 'presence') return <>The person present, with a touch of their passkey.</>;
  return (
    <>
      {PLACES[change.change]}: <bdi>{(names ?? []).join(', ')}</bdi>.
    </>
  );
}
