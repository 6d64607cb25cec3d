/** One purchase that a person is or was asked about: what is in the cart, from whom, and why it was asked. */
import type { Approval, ApprovalState } from '../../../client/operations.ts';
import type { ApprovalView } from '../../../protocol/approval.ts';
import { viewPurchase } from '../../node/decisions.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Head } from '../../parts/Head.tsx';
import { EscalatedTo, PeopleOf } from '../../parts/PeopleOf.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Technical } from '../../parts/Technical.tsx';
import { AgentLink } from '../../parts/values/AgentLink.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Domain } from '../../parts/values/Domain.tsx';
import { Left } from '../../parts/values/Left.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import type { ScreenProps } from '../../shell/screens.ts';
import { Decide, WhereToDecide } from './Decide.tsx';
import { DecisionChecks } from './DecisionChecks.tsx';
import { MoneyFacts } from './InShort.tsx';
import { canRemind, WhatIsMissing } from './WhatIsMissing.tsx';

const BY = {
  passkey: 'with a passkey',
  link: 'by its link',
  operator: 'by a person or key of this node',
  agent: 'by the agent itself',
} as const;

interface ApprovalDetails {
  readonly approval: ApprovalState;
  /** Gone some time after the decision: what was in the cart is then in the evidence only. */
  readonly view: ApprovalView | undefined;
}

export function OneApproval({ params }: ScreenProps) {
  const id = params['id'] ?? '';
  const found = useLoaded(`approval ${id}`, (signal) => load(id, signal), [
    'approval',
    'agent',
    'hp',
    'principal',
    'delegation',
  ]);
  return (
    <>
      <Head back={{ href: '#/approvals', name: 'Approvals' }}>
        {found.value?.approval.status === 'pending' && (
          <Decide
            id={id}
            about={found.value.approval.merchant}
            canApprove={isApprovable(found.value)}
            canRemind={canRemind(found.value.approval)}
            onDecided={found.reload}
          />
        )}
      </Head>
      <div class="split">
        <Shown of={found} rows={2} height={12}>
          {({ approval, view, others }) => (
            <>
              <Purchase approval={approval} view={view} onDecided={found.reload} />
              <div class="stack">
                {view === undefined ? (
                  <p class="quiet">
                    What was in the cart is shown for 15 minutes after the decision. Its hash is in the evidence.
                  </p>
                ) : (
                  <Cart view={view} />
                )}
                <Next others={others} isDecided={approval.status !== 'pending'} />
                <DecisionChecks approval={approval} />
              </div>
              <Context approval={approval} view={view} />
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

function isApprovable({ approval: { canApprove }, view }: ApprovalDetails): boolean {
  return canApprove !== false && view?.blocked === undefined;
}

const MOST_WAITING = 200;

async function load(id: string, signal: AbortSignal) {
  const [approval, view, waiting] = await Promise.all([
    node.getApproval({ id, include: 'decision' }, { signal }),
    viewPurchase(id, signal).catch(() => undefined),
    node.listApprovals({ status: 'pending', limit: MOST_WAITING }, { signal }),
  ]);
  const others = waiting.data.filter((each) => each.id !== id);
  return { approval, view, others: others.sort((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1)) };
}

/** What the shop calls itself, and whether its address may deceive. */
function ShopName({ view }: Pick<ApprovalDetails, 'view'>) {
  return (
    <>
      {view?.merchantName !== undefined && (
        <p class="quiet">
          The shop calls itself <bdi>{view.merchantName}</bdi>
        </p>
      )}
      {view?.merchantEncoded === true && (
        <p class="note">
          <strong>Look closely at this address.</strong> It has letters beyond a–z, which can look like those of a shop
          you know, so it is written in its plain technical form (“xn--…”). Approve only if you expected it.
        </p>
      )}
    </>
  );
}

interface NextProps {
  /** Those that wait besides this one, the one that ends soonest first. */
  readonly others: readonly Approval[];
  readonly isDecided: boolean;
}

/** The way to the next purchase that waits. It moves nothing under a finger that has just decided. */
function Next({ others: [next, ...rest], isDecided }: NextProps) {
  if (next === undefined) return isDecided ? <p class="quiet">Nothing else waits for you.</p> : null;
  return (
    <a class={isDecided ? 'button first next' : 'button second next'} href={`#/approvals/${next.id}`}>
      <span>
        Next: <Money amount={next.amount} currency={next.currency} /> for <AgentName did={next.agentDid} />
        {rest.length > 0 && `, and ${rest.length} more`}
      </span>
    </a>
  );
}

interface PurchaseProps extends ApprovalDetails {
  onDecided(): void;
}

function Purchase({ approval, view, onDecided }: PurchaseProps) {
  const { agentDid, amount, currency, merchant, status, expiresAt, causes, people } = approval;
  const isOpen = status === 'pending';
  return (
    <Card
      isMain
      title={
        <>
          <AgentName did={agentDid} /> {isOpen ? 'wants' : 'wanted'} to buy
        </>
      }
      aside={isOpen ? <Left until={expiresAt} /> : <Status state={status} />}
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
      <ShopName view={view} />
      {isOpen && <WhatIsMissing approval={approval} principal={view?.principal.name} onDone={onDecided} />}
      {isOpen && <WhereToDecide canApprove={isApprovable({ approval, view })} />}
      {view !== undefined && <MoneyFacts view={view} />}
      <h2 class="sub">Why a person is asked</h2>
      <ul class="causes">
        {causes.map(({ cause, message }) => (
          <li key={cause}>{message}</li>
        ))}
      </ul>
      <PeopleOf people={people} />
      <EscalatedTo to={approval.escalatedTo} />
    </Card>
  );
}

/** What the purchase belongs to, and how it was decided. */
function Context({ approval, view }: ApprovalDetails) {
  const { agentDid, principalDid, transactionId, decidedAt } = approval;
  return (
    <aside class="context">
      <Card title="Belongs to">
        <dl class="facts">
          <Fact name="Agent">
            <AgentLink did={agentDid} />
          </Fact>
          {decidedAt !== undefined && (
            <Fact name="Decided">
              {view?.decision?.by === undefined ? '' : `${BY[view.decision.by]} `}
              {view?.decision?.name !== undefined && (
                <>
                  by <bdi>{view.decision.name}</bdi>{' '}
                </>
              )}
              <When time={decidedAt} />
            </Fact>
          )}
          <Fact name="Decision">
            <a class="inline-link" href={`#/decisions/${transactionId}`}>
              What every rule said
            </a>
          </Fact>
        </dl>
        <Technical ids={{ Agent: agentDid, 'Whose money': principalDid }} />
      </Card>
    </aside>
  );
}

function Cart({ view }: { readonly view: ApprovalView }) {
  const { items, total, details, asked, unlisted } = view;
  return (
    <Card title="What is in the cart">
      <ul class="items">
        {items.map(({ name, quantity, amount }, index) => (
          <li key={index}>
            <span>
              <bdi class="clamped">{name}</bdi>
              {quantity > 1 && <span class="quiet"> × {quantity}</span>}
            </span>
            <span class="money">{amount}</span>
          </li>
        ))}
        <li class="sum">
          <span>Total</span>
          <span class="money">{total}</span>
        </li>
      </ul>
      {unlisted === true && <p class="quiet">The shop signed no list of what is bought.</p>}
      {asked.length > 0 && <h3>The agent says</h3>}
      <Facts facts={asked} />
      {details.length > 0 && <h3>Further details from the shop</h3>}
      <Facts facts={details} />
    </Card>
  );
}

function Facts({ facts }: { readonly facts: readonly { readonly name: string; readonly value: string }[] }) {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(({ name, value }, index) => (
        <Fact key={index} name={<bdi>{name}</bdi>}>
          <bdi class="clamped">{value}</bdi>
        </Fact>
      ))}
    </dl>
  );
}
