/** Purchases that wait for a yes, as cards; and those that were decided, as a list. */

import type { Approval } from '../../../client/operations.ts';
import type { ApprovalView } from '../../../protocol/approval.ts';
import { nameOf } from '../../node/agentNames.ts';
import { loadAttention } from '../../node/attention.ts';
import { viewPurchase } from '../../node/decisions.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Head } from '../../parts/Head.tsx';
import { EscalatedTo, PeopleOf } from '../../parts/PeopleOf.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { TryPlayground } from '../../parts/TryPlayground.tsx';
import { isDesk } from '../../parts/table/isDesk.ts';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { amountText } from '../../parts/values/amount.ts';
import { Domain } from '../../parts/values/Domain.tsx';
import { Left } from '../../parts/values/Left.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { Clock, When } from '../../parts/values/When.tsx';
import { Decide, WhereToDecide } from './Decide.tsx';
import { InShort } from './InShort.tsx';
import { canRemind, WhatIsMissing } from './WhatIsMissing.tsx';

/** Among them what decides whether a touch is asked for. */
const KINDS = ['approval', 'cart', 'agent', 'hp', 'principal', 'delegation'];
const MOST_WAITING = 200;
/** Of so many that end soonest the list shows what is in the cart; each is a request. */
const MOST_VIEWED = 8;
const MOST_DECIDED = 50;

export function Approvals() {
  const found = useLoaded('approvals', load, KINDS);
  return (
    <>
      <Head title="Approvals" />
      <Shown of={found} rows={4} height={6}>
        {({ pending, own, views, morePending, decided, moreDecided }) => (
          <div class="stack">
            <ForWhom own={own} all={pending.length} />
            {pending.length === 0 ? (
              <Card>
                <Empty title="Nothing waits for you">
                  <p>
                    When the policy asks for a person, the purchase waits here until it is decided or its time is over.
                  </p>
                </Empty>
              </Card>
            ) : (
              <div class="cards">
                {pending.map((approval) => (
                  <Waiting
                    key={approval.id}
                    approval={approval}
                    view={views.get(approval.id)}
                    onDecided={found.reload}
                  />
                ))}
              </div>
            )}
            {morePending && <p class="note">More wait than these {MOST_WAITING}, which are the newest.</p>}
            <Card title="Decided">
              <Decided approvals={decided} hasMore={moreDecided} />
            </Card>
          </div>
        )}
      </Shown>
    </>
  );
}

interface ForWhomProps {
  /** How many wait for the person who looks, as the badge says; absent where the node did not say. */
  readonly own: number | undefined;
  readonly all: number;
}

/** Why there are more than the badge counts. */
function ForWhom({ own, all }: ForWhomProps) {
  if (own === undefined || own >= all) return null;
  return (
    <p class="quiet">
      {own === 1 ? '1 waits' : `${own} wait`} for you, {all - own} for others.
    </p>
  );
}

/** Those that end soonest first, and the newest of the others. */
async function load(signal: AbortSignal) {
  const [waiting, newest, attention] = await Promise.all([
    node.listApprovals({ status: 'pending', limit: MOST_WAITING }, { signal }),
    node.listApprovals({ limit: MOST_DECIDED }, { signal }),
    // What the badge counts, which the list does without.
    loadAttention().catch(() => undefined),
  ]);
  const pending = [...waiting.data].sort((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1));
  const viewed = await Promise.all(
    pending
      .slice(0, MOST_VIEWED)
      .map(async ({ id }) => [id, await viewPurchase(id, signal).catch(() => undefined)] as const),
  );
  return {
    pending,
    own: attention?.counts.approval,
    views: new Map(viewed),
    morePending: waiting.hasMore,
    decided: newest.data.filter(({ status }) => status !== 'pending'),
    moreDecided: newest.hasMore,
  };
}

interface WaitingProps {
  readonly approval: Approval;
  /** Absent where it was not asked for. */
  readonly view: ApprovalView | undefined;
  onDecided(): void;
}

function Waiting({ approval, view, onDecided }: WaitingProps) {
  const { id, agentDid, amount, currency, merchant, causes, expiresAt, canApprove, people } = approval;
  return (
    <Card
      title={
        <>
          <AgentName did={agentDid} /> wants to buy
        </>
      }
      aside={<Left until={expiresAt} />}
    >
      <p class="total">
        <Money amount={amount} currency={currency} />
      </p>
      <p>
        from{' '}
        <strong>
          <Domain name={merchant} isAsked />
        </strong>
      </p>
      <ul class="causes">
        {causes.map(({ cause, message }) => (
          <li key={cause}>{message}</li>
        ))}
      </ul>
      {view !== undefined && <InShort view={view} />}
      <PeopleOf people={people} />
      <EscalatedTo to={approval.escalatedTo} />
      <p>
        <a class="inline-link" href={`#/approvals/${id}`}>
          All details
        </a>
      </p>
      <WhatIsMissing approval={approval} principal={view?.principal.name} onDone={onDecided} />
      <WhereToDecide canApprove={canApprove !== false} />
      <Decide
        id={id}
        canApprove={canApprove !== false}
        canRemind={canRemind(approval)}
        about={`${nameOf(agentDid)}, ${amountText(amount, currency)}, ${merchant}`}
        onDecided={onDecided}
      />
    </Card>
  );
}

interface DecidedProps {
  readonly approvals: readonly Approval[];
  /** Whether there are older ones than those that were looked through. */
  readonly hasMore: boolean;
}

function Decided({ approvals, hasMore }: DecidedProps) {
  if (approvals.length === 0 && hasMore) return <p class="quiet">All of the newest are still pending.</p>;
  if (approvals.length === 0) {
    return (
      <Empty title="No approval was decided yet">
        <p>Approved and denied purchases appear here.</p>
        <TryPlayground />
      </Empty>
    );
  }
  if (isDesk.value) return <DecidedTable approvals={approvals} />;
  return (
    <ul class="rows">
      {approvals.map(({ id, agentDid, amount, currency, merchant, status, decidedAt, expiresAt }) => (
        <li key={id}>
          <a class="row" href={`#/approvals/${id}`}>
            <span class="row-main">
              <Domain name={merchant} />
              <span class="quiet">
                <AgentName did={agentDid} /> · <When time={decidedAt ?? expiresAt} inLink />
              </span>
            </span>
            <span class="row-end">
              <Money amount={amount} currency={currency} />
              <Status state={status} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const COLUMNS: readonly TableColumn<Approval>[] = [
  { name: 'When', width: 4, cell: ({ decidedAt, expiresAt }) => <Clock time={decidedAt ?? expiresAt} /> },
  { name: 'Agent', width: 12, cell: ({ agentDid }) => <AgentName did={agentDid} /> },
  { name: 'Merchant', isMain: true, cell: ({ merchant }) => <bdi>{merchant}</bdi> },
  { name: 'Amount', width: 9, isEnd: true, cell: (approval) => <Money {...approval} /> },
  { name: 'State', width: 9.5, cell: ({ status }) => <Status state={status} /> },
];

function DecidedTable({ approvals }: Pick<DecidedProps, 'approvals'>) {
  return (
    <Table
      label={approvals.length === 1 ? '1 purchase' : `${approvals.length} purchases`}
      columns={COLUMNS}
      items={approvals}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `#/approvals/${id}`}
      timeOf={({ decidedAt, expiresAt }) => decidedAt ?? expiresAt}
    />
  );
}
