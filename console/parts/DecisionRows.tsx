/** What agents asked for as rows, each a link to why it was decided so. */
import type { Operations } from '../../client/operations.ts';
import { hrefOf } from '../shell/places.ts';
import { AgentName } from './values/AgentName.tsx';
import { Money } from './values/Money.tsx';
import { reasonText } from './values/reasonText.ts';
import { Status } from './values/Status.tsx';
import { When } from './values/When.tsx';

type Decision = Operations['listDecisions']['output']['data'][number];

const KINDS: Readonly<Record<Decision['kind'], string>> = { intent: 'Request', cart: 'Cart', payment: 'Payment' };

interface DecisionRowsProps {
  readonly decisions: readonly Decision[];
  /** Whether they stand beside the agent's name. */
  readonly ofOneAgent?: boolean;
}

export function DecisionRows({ decisions, ofOneAgent = false }: DecisionRowsProps) {
  return (
    <ul class="rows">
      {decisions.map(({ seq, kind, outcome, transactionId, agentDid, merchant, amount, currency, ...decision }) => (
        <li key={seq}>
          <a class="row" href={hrefOf(`/decisions/${encodeURIComponent(transactionId)}`)}>
            <span class="row-main">
              <bdi>{merchant ?? 'At no named merchant'}</bdi>
              <span class="quiet">
                {!ofOneAgent && (
                  <>
                    <AgentName did={agentDid} /> ·{' '}
                  </>
                )}
                {KINDS[kind]} · <When time={decision.createdAt} inLink />
              </span>
              {outcome === 'refused' && <bdi class="quiet">{whyOf(decision)}</bdi>}
            </span>
            <span class="row-end">
              <Money amount={amount} currency={currency} />
              <Status state={outcome} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The node's own sentences, with the figures; a reason that has none by its name. */
function whyOf({ reasonCodes, details }: Pick<Decision, 'reasonCodes' | 'details'>): string {
  return reasonCodes.map((code) => details[code]?.message ?? `${reasonText(code)}.`).join(' ');
}
