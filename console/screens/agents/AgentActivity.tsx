/** What an agent did last: what it paid, and what it asked for, the refused too. */
import type { Operations, Payment } from '../../../client/operations.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { PaymentRows } from '../../parts/PaymentRows.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { hrefOf, placeOf } from '../../shell/places.ts';
import { screenAt } from '../../shell/screens.ts';

type Decision = Operations['listDecisions']['output']['data'][number];

interface AgentActivityProps {
  readonly did: string;
  readonly payments: readonly Payment[];
  readonly decisions: readonly Decision[];
}

export function AgentActivity({ did, payments, decisions }: AgentActivityProps) {
  const all = hrefOf('/decisions', { agent: did });
  return (
    <>
      <Card title="Newest payments" aside={<a href={hrefOf('/payments', { agent: did })}>All of them</a>}>
        {payments.length === 0 ? (
          <Empty title="It has paid nothing yet">
            <p>What it needs to ask for its first purchase is below.</p>
          </Empty>
        ) : (
          <PaymentRows payments={payments} ofOneAgent />
        )}
      </Card>
      <Card title="What it asked for" aside={isScreen(all) && <a href={all}>All of it</a>}>
        {decisions.length === 0 ? (
          <Empty title="It has asked for nothing yet">
            <p>Each request of it stands here, with why it was refused where it was.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {decisions.map((decision) => (
              <li key={decision.seq}>
                <DecisionRow decision={decision} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

const KINDS = { intent: 'to buy', cart: 'with a cart', payment: 'to pay' } as const;

function DecisionRow({ decision }: { readonly decision: Decision }) {
  const { kind, outcome, transactionId, amount, currency, merchant, createdAt, reasonCodes, details } = decision;
  const href = hrefOf(`/decisions/${encodeURIComponent(transactionId)}`);
  const [first] = reasonCodes;
  const why = first === undefined || outcome === 'approval' ? undefined : details[first]?.message;
  const content = (
    <>
      <span class="row-main">
        <span>
          {KINDS[kind]} {merchant === undefined ? 'anywhere' : 'at '}
          {merchant !== undefined && <bdi>{merchant}</bdi>}
        </span>
        {why !== undefined && <bdi class="quiet">{why}</bdi>}
        <span class="quiet">
          <When time={createdAt} inLink />
        </span>
      </span>
      <span class="row-end">
        <Money amount={amount} currency={currency} />
        <Status state={`decision ${outcome}`} />
      </span>
    </>
  );
  return isScreen(href) ? (
    <a class="row" href={href}>
      {content}
    </a>
  ) : (
    <div class="row">{content}</div>
  );
}

function isScreen(href: string): boolean {
  return screenAt(placeOf(href).path) !== undefined;
}
