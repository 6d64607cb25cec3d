/** What agents asked for as rows, each a link to why it was decided so. */

import { hrefOf } from '../../shell/places.ts';
import { groupDecisions, type ListedDecision, whyOf } from '../table/groupDecisions.ts';
import { Outcome } from '../table/Outcome.tsx';
import { AgentName } from '../values/AgentName.tsx';
import { Domain } from '../values/Domain.tsx';
import { Money } from '../values/Money.tsx';
import { reasonText } from '../values/reasonText.ts';
import { Clock, When } from '../values/When.tsx';
import { DayRows } from './DayRows.tsx';

interface DecisionRowsProps {
  readonly decisions: readonly ListedDecision[];
  /** Whether they stand beside the agent's name. */
  readonly ofOneAgent?: boolean;
  /** Whether they stand under the headings of their days. */
  readonly isByDay?: boolean;
  /** Whether a purchase stands where the largest or the smallest amount of its decisions does. */
  readonly isByAmount?: boolean;
}

export function DecisionRows({
  decisions,
  ofOneAgent = false,
  isByDay = false,
  isByAmount = false,
}: DecisionRowsProps) {
  return (
    <DayRows items={groupDecisions(decisions)} timeOf={isByDay ? ({ first }) => first.createdAt : undefined}>
      {({ lead, ...purchase }) => (
        <li key={lead.transactionId}>
          <a class="row" href={hrefOf(`/decisions/${encodeURIComponent(lead.transactionId)}`)}>
            <span class="row-main">
              <Domain name={lead.merchant ?? 'At no named merchant'} />
              <span class="quiet">
                {/* Before what is long, since the end of it may be cut. */}
                {isByDay ? <Clock time={purchase.first.createdAt} /> : <When time={purchase.first.createdAt} inLink />}
                {!ofOneAgent && (
                  <>
                    {' '}
                    · <AgentName did={lead.agentDid} />
                  </>
                )}
              </span>
              {lead.outcome === 'refused' && (
                <bdi class="quiet">{ofOneAgent ? whyOf(lead) : lead.reasonCodes.map(reasonText).join(', ')}</bdi>
              )}
            </span>
            <span class="row-end">
              <Money {...(isByAmount ? purchase.first : lead)} />
              <Outcome of={{ lead, ...purchase }} />
            </span>
          </a>
        </li>
      )}
    </DayRows>
  );
}
