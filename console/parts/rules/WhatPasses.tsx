/** What would have passed: the smallest changes of a refused request, each of which the policy has allowed when it was asked again. */
import type { Operations } from '../../../client/operations.ts';
import type { ReasonCode } from '../../../protocol/reason.ts';
import { Money } from '../values/Money.tsx';
import { When } from '../values/When.tsx';

type Counterfactual = NonNullable<Operations['simulateDraft']['output']['counterfactual']>;
type Change = Counterfactual['alone'][number];

const PLACES: Readonly<Partial<Record<Change['change'], string>>> = {
  merchant: 'At a merchant that the policy names',
  category: 'In a category that the policy names',
  country: 'In a country that the policy names',
};

/** What has to be before a purchase that was refused for a reason can pass. */
const CONDITIONS: Readonly<Partial<Record<ReasonCode, string>>> = {
  AGENT_NOT_DELEGATED: 'the agent may spend this money',
  AGENT_SUSPENDED: 'the agent is frozen no more',
  MERCHANT_DENIED: 'the merchant is off the list of those that are denied',
  MERCHANT_NOT_ALLOWED: 'the merchant is on the list of those that are allowed',
  MCC_DENIED: 'the policy allows the category',
  GEO_RESTRICTED: 'the policy allows the country',
  CURRENCY_NOT_ALLOWED: 'the policy allows the currency',
  AMOUNT_OVER_CAP: 'the amount is within the cap',
  SPENDING_LIMIT_EXCEEDED: 'its limits leave room for the amount',
  VELOCITY_EXCEEDED: 'its limits leave room for a purchase',
  TIME_WINDOW_VIOLATED: 'it is asked for at an allowed time',
};

interface WhatPassesProps {
  readonly of: Counterfactual;
  /** Every reason why it was refused. */
  readonly reasons: readonly ReasonCode[];
  /** What the rules said of it. */
  readonly rules: Operations['simulateDraft']['output']['ruleTable'];
}

/** Rules that ask a person above an amount of one purchase. */
const ASK_ABOVE: readonly string[] = ['threshold', 'approval'];

export function WhatPasses({ of: { alone, together }, reasons, rules }: WhatPassesProps) {
  const asksAbove = rules.flatMap(({ rule, limit }) =>
    ASK_ABOVE.includes(rule) && limit !== undefined ? [limit] : [],
  );
  const changes = alone.length > 0 ? alone : together;
  if (changes.length === 0) {
    const conditions = reasons.map((code) => CONDITIONS[code]);
    const isKnown = conditions.length > 0 && !conditions.includes(undefined);
    return (
      <p class="passes">
        No other amount, time or person alone would have made it pass
        {isKnown
          ? `. It can pass only once ${conditions.join(', and ')}.`
          : ': what stands against it has to change first.'}
      </p>
    );
  }
  return (
    <div class="passes">
      <p>{introOf(alone, together)}</p>
      <ul class="causes">
        {changes.map((change) => (
          <li key={change.change}>
            <WithChange change={change} asksAbove={Math.min(...asksAbove)} />
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

interface WithChangeProps {
  readonly change: Change;
  /** The amount of one purchase above which a person is asked; infinite where there is none. */
  readonly asksAbove: number;
}

function WithChange({ change, asksAbove }: WithChangeProps) {
  const { amount, currency, from, names } = change;
  if (amount !== undefined && currency !== undefined) {
    return (
      <>
        An amount of{' '}
        <strong>
          <Money amount={amount} currency={currency} />
        </strong>{' '}
        at most
        {amount > asksAbove && (
          <>
            ; above <Money amount={asksAbove} currency={currency} /> a person is asked
          </>
        )}
        .
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
