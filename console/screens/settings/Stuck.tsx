/** What does not go on by itself soon enough: payments without an outcome, and endpoints that take nothing. */
import type { AttentionItem, Webhook } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { askRailAgain } from '../../node/reconcile.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { say } from '../../parts/toasts.ts';
import { Sentence } from '../../parts/values/Sentence.tsx';
import { When } from '../../parts/values/When.tsx';

interface StuckPaymentsProps {
  readonly stuck: readonly AttentionItem[];
  onDone(): void;
}

export function StuckPayments({ stuck, onDone }: StuckPaymentsProps) {
  if (stuck.length === 0) return null;
  return (
    <Card title="Payments to look at">
      <ul class="rows">
        {stuck.map((item, index) => (
          <StuckRow key={item.mandateId ?? index} item={item} onDone={onDone} />
        ))}
      </ul>
    </Card>
  );
}

function StuckRow({
  item: { mandateId = '', message, since },
  onDone,
}: {
  readonly item: AttentionItem;
  onDone(): void;
}) {
  const ask = async () => {
    const sentence = await askRailAgain(mandateId);
    onDone();
    say(sentence);
  };
  return (
    <li class="row acting">
      <span class="row-main">
        <Sentence text={message} />
        {since !== undefined && (
          <span class="quiet">
            <When time={since} inLink />
          </span>
        )}
      </span>
      <span class="acts">
        <a class="button plain" href={`#/payments/${mandateId}`}>
          Details
        </a>
        {may('write') && <Button onClick={ask}>Ask the rail again</Button>}
      </span>
    </li>
  );
}

export function FailingWebhooks({ failing }: { readonly failing: readonly Webhook[] }) {
  if (failing.length === 0) return null;
  return (
    <Card title="Webhooks that fail">
      <ul class="rows">
        {failing.map(({ id, url, failingSince }) => (
          <li key={id}>
            <a class="row" href={`#/build/webhooks/${id}`}>
              <span class="row-main">
                <bdi>{url}</bdi>
                {failingSince !== undefined && (
                  <span class="quiet">
                    first failure <When time={failingSince} inLink />
                  </span>
                )}
              </span>
              <span class="row-end">Details</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
