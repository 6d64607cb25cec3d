/** One purchase that a person is or was asked about: what is in the cart, from whom, and why it was asked. */
import type { Approval } from '../../../client/operations.ts';
import type { ApprovalView } from '../../../protocol/approval.ts';
import { viewPurchase } from '../../node/decisions.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Back } from '../../parts/Back.tsx';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { PeopleOf } from '../../parts/PeopleOf.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { AgentLink } from '../../parts/values/AgentLink.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Did } from '../../parts/values/Did.tsx';
import { Left } from '../../parts/values/Left.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import type { ScreenProps } from '../../shell/screens.ts';
import { Decide } from './Decide.tsx';
import { WhatIsMissing } from './WhatIsMissing.tsx';

const BY = {
  passkey: 'with a passkey',
  link: 'by its link',
  operator: 'by a person or key of this node',
  agent: 'by the agent itself',
} as const;

interface ApprovalDetails {
  readonly approval: Approval;
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
      <Back href="#/approvals">Approvals</Back>
      <div class="stack narrow">
        <Shown of={found} rows={2} height={12}>
          {({ approval, view }) => (
            <>
              <Purchase approval={approval} view={view} onDecided={found.reload} />
              {view === undefined ? (
                <p class="quiet">
                  What was in the cart is shown for 15 minutes after the decision. Its hash is in the evidence.
                </p>
              ) : (
                <Cart view={view} />
              )}
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

async function load(id: string, signal: AbortSignal): Promise<ApprovalDetails> {
  const [approval, view] = await Promise.all([
    node.getApproval({ id }, { signal }),
    viewPurchase(id, signal).catch(() => undefined),
  ]);
  return { approval, view };
}

interface PurchaseProps extends ApprovalDetails {
  onDecided(): void;
}

function Purchase({ approval, view, onDecided }: PurchaseProps) {
  const { id, agentDid, amount, currency, merchant, status, expiresAt, causes, decidedAt, canApprove, people } =
    approval;
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
        from <bdi class="agent">{merchant}</bdi>
      </p>
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
      <h2 class="sub">Why a person is asked</h2>
      <ul class="causes">
        {causes.map(({ cause, message }) => (
          <li key={cause}>{message}</li>
        ))}
      </ul>
      <PeopleOf people={people} />
      {isOpen && <WhatIsMissing approval={approval} principal={view?.principal.name} onDone={onDecided} />}
      {isOpen ? (
        <Decide
          id={id}
          about={merchant}
          canApprove={canApprove !== false && view?.blocked === undefined}
          onDecided={onDecided}
        />
      ) : (
        decidedAt !== undefined && (
          <p class="quiet">
            Decided {view?.decision?.by === undefined ? '' : `${BY[view.decision.by]} `}
            <When time={decidedAt} />
          </p>
        )
      )}
    </Card>
  );
}

function Cart({ view }: { readonly view: ApprovalView }) {
  const { items, total, details, asked, principal, instrument, agentDid } = view;
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
      <dl class="facts">
        <Fact name="For">
          {principal.name === undefined ? <Did did={principal.did} /> : <bdi>{principal.name}</bdi>}
        </Fact>
        {instrument !== undefined && (
          <Fact name="Paid with">
            <bdi>{instrument}</bdi>
          </Fact>
        )}
        <Fact name="Agent">
          <AgentLink did={agentDid} />
        </Fact>
      </dl>
      {asked.length > 0 && <h3>What the agent says it was to buy</h3>}
      <Facts facts={asked} />
      {details.length > 0 && <h3>What the shop says besides</h3>}
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
