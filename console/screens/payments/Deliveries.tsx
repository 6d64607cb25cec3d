/** Request to webhooks about a purchase: to whom, and whether it arrived. */
import type { WebhookLog } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { failureText } from '../../parts/values/failureText.ts';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { wordsOfEvent } from '../build/eventWords.ts';

/** What the node takes. */
const MOST_EVENTS = 50;
const MOST_ATTEMPTS = 100;

interface DeliveriesProps {
  /** Of the purchase's events, which webhook events share. */
  readonly eventIds: readonly string[];
}

export function Deliveries({ eventIds }: DeliveriesProps) {
  const asked = eventIds.slice(-MOST_EVENTS).join(',');
  const attempts = useLoaded(
    `deliveries ${asked}`,
    (signal) => node.listWebhookLogs({ eventId: asked, limit: MOST_ATTEMPTS }, { signal }),
    ['webhook'],
  );
  return (
    <Card title="Webhook deliveries">
      <Shown of={attempts} rows={1}>
        {({ logs }) =>
          logs.length === 0 ? (
            <Empty title="No webhook delivery" />
          ) : (
            <ul class="rows">
              {logs.map((attempt) => (
                <li key={attempt.id} class="row">
                  <AttemptRow attempt={attempt} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
}

function AttemptRow({ attempt: { eventType, url, status, error, outcome, attempt, deliveredAt } }: AttemptRowProps) {
  return (
    <>
      <span class="row-main">
        <span title={eventType}>{wordsOfEvent(eventType)}</span>
        <bdi class="quiet one-line" title={url}>
          {url}
        </bdi>
        <span class="quiet">
          {status > 0 ? `Answered ${status}.` : (failureText(error) ?? 'No answer.')}
          {attempt > 1 && ` Attempt ${attempt}.`} <When time={deliveredAt} inLink />
        </span>
      </span>
      <span class="row-end">
        <Status state={`delivery ${outcome}`} />
      </span>
    </>
  );
}

interface AttemptRowProps {
  readonly attempt: WebhookLog;
}
