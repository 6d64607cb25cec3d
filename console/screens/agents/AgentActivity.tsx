/** What an agent did last: what it paid, and what it asked for, the refused too. */
import type { Operations, Payment } from '../../../client/operations.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { DecisionRows } from '../../parts/rows/DecisionRows.tsx';
import { PaymentRows } from '../../parts/rows/PaymentRows.tsx';
import { hrefOf } from '../../shell/places.ts';

type Decision = Operations['listDecisions']['output']['data'][number];

interface AgentActivityProps {
  readonly did: string;
  readonly payments: readonly Payment[];
  readonly decisions: readonly Decision[];
}

export function AgentActivity({ did, payments, decisions }: AgentActivityProps) {
  return (
    <>
      <Card title="Newest payments" aside={<a href={hrefOf('/payments', { agent: did })}>All payments</a>}>
        {payments.length === 0 ? (
          <Empty title="No payment yet">
            <p>“Connect and keys” shows how to connect the agent.</p>
          </Empty>
        ) : (
          <PaymentRows payments={payments} ofOneAgent />
        )}
      </Card>
      <Card title="Newest decisions" aside={<a href={hrefOf('/decisions', { agent: did })}>All decisions</a>}>
        {decisions.length === 0 ? (
          <Empty title="No decision yet">
            <p>Every request of the agent appears here, with the reasons of a refusal.</p>
          </Empty>
        ) : (
          <DecisionRows decisions={decisions} ofOneAgent />
        )}
      </Card>
    </>
  );
}
