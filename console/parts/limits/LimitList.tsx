/** Limits with all that is known of them, the tightest first: what is used, until when, whose purchases count, and what is over. */
import { When } from '../values/When.tsx';
import { LimitBar } from './LimitBar.tsx';
import { tightestFirst } from './limitStates.ts';
import { type CountedLimit, maximaOf, VELOCITY_LIMIT, whereText } from './measures.ts';

interface ListedLimit extends CountedLimit {
  /** Whether it is the agent's own. */
  readonly own?: boolean;
}

export function LimitList({ limits }: { readonly limits: readonly ListedLimit[] }) {
  return (
    <ul class="limits">
      {tightestFirst(limits).map((limit) => (
        <li key={`${limit.scope} ${limit.own} ${limit.name}`}>
          <OneLimit limit={limit} />
        </li>
      ))}
    </ul>
  );
}

const WHOSE: Readonly<Record<CountedLimit['scope'], string>> = {
  agent: 'Counted for each agent.',
  principal: 'Shared by the agents that spend the same money.',
  policy: 'Shared by all agents.',
};

function OneLimit({ limit }: { readonly limit: ListedLimit }) {
  const { name, scope, own = false, action, window, resetsAt } = limit;
  const where = whereText(limit);
  return (
    <>
      <p class="limit-name">{name === VELOCITY_LIMIT ? 'Limit over time' : <bdi>{name}</bdi>}</p>
      {maximaOf(limit).map((measured) => (
        <LimitBar key={measured.text} measured={measured} />
      ))}
      <p class="limit-about">
        {resetsAt === undefined ? `Within ${window}` : `${window.charAt(0).toUpperCase()}${window.slice(1)}`}
        {resetsAt !== undefined && (
          <>
            , until <When time={resetsAt} />
          </>
        )}
        .{' '}
        {where !== '' && (
          <>
            Only <bdi>{where}</bdi>.{' '}
          </>
        )}
        {own ? 'Set for this agent, in place of the policy’s.' : WHOSE[scope]}{' '}
        {action === 'presence' ? 'Above it a person has to approve.' : 'Above it a purchase is refused.'}
      </p>
    </>
  );
}
