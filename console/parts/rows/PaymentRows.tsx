/** Payments as a list: where, by whom, when, how much, and how they stand. */
import type { Payment } from '../../../client/operations.ts';
import { AgentName } from '../values/AgentName.tsx';
import { Domain } from '../values/Domain.tsx';
import { Money } from '../values/Money.tsx';
import { Status } from '../values/Status.tsx';
import { Clock, When } from '../values/When.tsx';
import { DayRows } from './DayRows.tsx';

interface PaymentRowsProps {
  readonly payments: readonly Payment[];
  /** Where all are of one agent, its name stands above. */
  readonly ofOneAgent?: boolean;
  /** Whether they stand by time, under the headings of their days. */
  readonly isByDay?: boolean;
}

export function PaymentRows({ payments, ofOneAgent = false, isByDay = false }: PaymentRowsProps) {
  return (
    <DayRows items={payments} timeOf={isByDay ? ({ createdAt }) => createdAt : undefined}>
      {({ mandateId, merchant, description, agentDid, amount, currency, status, createdAt }) => (
        <li key={mandateId}>
          <a class="row" href={`#/payments/${mandateId}`}>
            <span class="row-main">
              <Domain name={merchant} />
              {description !== undefined && <bdi class="quiet one-line">{description}</bdi>}
              <span class="quiet">
                {!ofOneAgent && (
                  <>
                    <AgentName did={agentDid} /> ·{' '}
                  </>
                )}
                {isByDay ? <Clock time={createdAt} /> : <When time={createdAt} inLink />}
              </span>
            </span>
            <span class="row-end">
              <Money amount={amount} currency={currency} />
              <Status state={status} />
            </span>
          </a>
        </li>
      )}
    </DayRows>
  );
}
