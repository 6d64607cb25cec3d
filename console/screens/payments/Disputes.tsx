/** The disputes of a payment: how much each is about, how it stands, and until when it has to be answered. */
import type { Dispute } from '../../../client/operations.ts';
import { Money } from '../../parts/values/Money.tsx';
import { When } from '../../parts/values/When.tsx';

const STANDS: Readonly<Record<Dispute['status'], string>> = {
  needs_response: 'waits for an answer',
  under_review: 'is with the bank',
  won: 'was won',
  lost: 'was lost',
  inquiry: 'is a question of the bank',
  inquiry_closed: 'was a question of the bank',
};

export function Disputes({ disputes }: { readonly disputes: readonly Dispute[] }) {
  if (disputes.length === 0) return null;
  return (
    <ul class="rows">
      {disputes.map((dispute) => (
        <li key={dispute.id} class="row">
          <span class="row-main">
            <Money amount={dispute.amount} currency={dispute.currency} /> {STANDS[dispute.status]}
            {dispute.reason !== undefined && <span class="quiet"> {dispute.reason.replaceAll('_', ' ')}</span>}
          </span>
          <span class="row-end">
            <End dispute={dispute} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function End({ dispute: { status, dueBy, closedAt, openedAt } }: { readonly dispute: Dispute }) {
  if (status === 'needs_response' && dueBy !== undefined) {
    return (
      <>
        due <When time={dueBy} />
      </>
    );
  }
  return <When time={closedAt ?? openedAt} />;
}
