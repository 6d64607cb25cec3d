/** One payment as a story, from what the agent asked for to where the money is, with the proof of each step. */
import type { PaymentRecord } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Back } from '../../parts/Back.tsx';
import { Card } from '../../parts/Card.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { AgentLink } from '../../parts/values/AgentLink.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { RailName } from '../../parts/values/RailName.tsx';
import { Sentence } from '../../parts/values/Sentence.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { hrefOf } from '../../shell/places.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Operate } from './Operate.tsx';
import { Story } from './StorySteps.tsx';

const KINDS = ['payment', 'pm'];

export function OnePayment({ params }: ScreenProps) {
  const mandateId = params['id'] ?? '';
  const payment = useLoaded(`payment ${mandateId}`, (signal) => node.getPayment({ mandateId }, { signal }), KINDS);
  return (
    <>
      <Back href="#/payments">Payments</Back>
      <div class="stack narrow">
        <Shown of={payment} rows={2} height={14}>
          {(found) => (
            <>
              <Head payment={found} onDone={payment.reload} />
              {/* What has happened to the payment since is in other events. */}
              <Story key={found.transactionId} transactionId={found.transactionId} version={versionOf(found)} />
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

function versionOf({ status, captured, refunded }: PaymentRecord): string {
  return `${status} ${captured} ${refunded}`;
}

function Head({ payment, onDone }: { readonly payment: PaymentRecord; onDone(): void }) {
  const { agentDid, merchant, amount, currency, status } = payment;
  return (
    <Card
      isMain
      title={
        <>
          <AgentName did={agentDid} /> at <bdi>{merchant}</bdi>
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
      <Operate payment={payment} onDone={onDone} />
    </Card>
  );
}

function Facts({ payment }: { readonly payment: PaymentRecord }) {
  const { mandateId, transactionId, agentDid, currency, captured, refunded, rail, railTransactionId, createdAt } =
    payment;
  return (
    <dl class="facts">
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
      <Fact name="When">
        <When time={createdAt} />
      </Fact>
      <Fact name="Rail">
        <RailName rail={rail} />
        {railTransactionId !== undefined && <code class="quiet"> {railTransactionId}</code>}
      </Fact>
      <Fact name="Decided">
        <a class="inline-link" href={hrefOf(`/decisions/${encodeURIComponent(transactionId)}`)}>
          What every rule said
        </a>
      </Fact>
      <Fact name="Agent">
        <AgentLink did={agentDid} />
      </Fact>
      <Fact name="Payment">
        <code>{mandateId}</code>
      </Fact>
    </dl>
  );
}
