/** One payment as a story, from what the agent asked for to where the money is, with the proof of each step. */

import type { PaymentRecord } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { loadBundle } from '../../node/bundles.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Head } from '../../parts/Head.tsx';
import { WhoseMoney } from '../../parts/holders/WhoseMoney.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Technical } from '../../parts/Technical.tsx';
import { isDesk } from '../../parts/table/isDesk.ts';
import { AgentLink } from '../../parts/values/AgentLink.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Domain } from '../../parts/values/Domain.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { dateText, exactText } from '../../parts/values/moment.ts';
import { RailName } from '../../parts/values/RailName.tsx';
import { Sentence } from '../../parts/values/Sentence.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { hrefOf } from '../../shell/places.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Deliveries } from './Deliveries.tsx';
import { Disputes } from './Disputes.tsx';
import { Operate } from './Operate.tsx';
import { Story } from './StorySteps.tsx';

const KINDS = ['payment', 'pm'];

export function OnePayment({ params }: ScreenProps) {
  const mandateId = params['id'] ?? '';
  const payment = useLoaded(`payment ${mandateId}`, (signal) => node.getPayment({ mandateId }, { signal }), KINDS);
  return (
    <>
      <Head back={{ href: '#/payments', name: 'Payments' }} />
      <div class="split">
        <Shown of={payment} rows={2} height={14}>
          {(found) => <Purchase key={found.transactionId} payment={found} onDone={payment.reload} />}
        </Shown>
      </div>
    </>
  );
}

function Purchase({ payment, onDone }: { readonly payment: PaymentRecord; onDone(): void }) {
  const { transactionId, status, captured, refunded, disputes } = payment;
  // What has happened to the payment since is in other events.
  const version = [status, captured, refunded, ...disputes.map((each) => each.status)].join(' ');
  const bundle = useLoaded(`story ${transactionId} ${version}`, () => loadBundle(transactionId), []);
  const standing = <Disputes payment={payment} events={bundle.value?.events} onDone={bundle.reload} />;
  return (
    <>
      <Summary payment={payment} />
      {/* An answer is due by a day, so that it stands above the story where there is no room beside it. */}
      {!isDesk.value && standing}
      <Story transactionId={transactionId} bundle={bundle} />
      <aside class="context stack">
        {isDesk.value && standing}
        <Operate payment={payment} onDone={onDone} />
        <Context payment={payment} />
        {may('admin') && bundle.value !== undefined && (
          <Deliveries eventIds={bundle.value.events.map(({ id }) => id)} />
        )}
      </aside>
    </>
  );
}

function Summary({ payment }: { readonly payment: PaymentRecord }) {
  const { mandateId, railTransactionId, agentDid, merchant, amount, currency, status } = payment;
  return (
    <Card
      isMain
      title={
        <>
          <AgentName did={agentDid} /> at <Domain name={merchant} />
        </>
      }
      aside={<Status state={status} />}
    >
      <p class="total">
        <Money amount={amount} currency={currency} />
      </p>
      {payment.attention !== undefined && (
        <p class="note">
          <Sentence text={payment.attention.reason} />
        </p>
      )}
      {payment.error !== undefined && <p class="note">{payment.error.message}</p>}
      <Facts payment={payment} />
      <Technical ids={{ Payment: mandateId, ...(railTransactionId && { 'Of the rail': railTransactionId }) }} />
    </Card>
  );
}

function Facts({ payment }: { readonly payment: PaymentRecord }) {
  const { description, currency, captured, refunded, disputed, rail, createdAt } = payment;
  return (
    <dl class="facts">
      {description !== undefined && (
        <Fact name="Bought">
          <bdi>{description}</bdi>
        </Fact>
      )}
      {captured > 0 && (
        <Fact name="Captured">
          <Money amount={captured} currency={currency} />
        </Fact>
      )}
      {refunded > 0 && (
        <Fact name="Refunded">
          <Money amount={refunded} currency={currency} />
        </Fact>
      )}
      {disputed > 0 && (
        <Fact name="Disputed">
          <Money amount={disputed} currency={currency} />
        </Fact>
      )}
      <Fact name="When">
        <time dateTime={createdAt} title={exactText(createdAt)}>
          {dateText(createdAt)}
        </time>
      </Fact>
      <Fact name="Rail">
        <RailName rail={rail} />
      </Fact>
    </dl>
  );
}

/** What the payment belongs to. */
function Context({ payment: { agentDid, transactionId, pmVc } }: { readonly payment: PaymentRecord }) {
  return (
    <Card title="Belongs to">
      <dl class="facts">
        <Fact name="Agent">
          <AgentLink did={agentDid} />
        </Fact>
        <WhoseMoney did={String(pmVc.credentialSubject['principalDid'])} />
        <Fact name="Decided">
          <a class="inline-link" href={hrefOf(`/decisions/${encodeURIComponent(transactionId)}`)}>
            What every rule said
          </a>
        </Fact>
      </dl>
    </Card>
  );
}
