/** One attempt at a delivery: how it ended, and when it is opened what was posted and what was answered. */
import { useState } from 'preact/hooks';
import type { WebhookLog } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Button } from '../../parts/Button.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Json } from '../../parts/Json.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { say } from '../../parts/toasts.ts';
import { failureText } from '../../parts/values/failureText.ts';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { wordsOfEvent } from './eventWords.ts';

interface AttemptRowProps {
  readonly log: WebhookLog;
  /** Whether the endpoint takes anything now. */
  readonly maySend: boolean;
  onDone(): void;
}

export function AttemptRow({ log, maySend, onDone }: AttemptRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { eventType, outcome, deliveredAt } = log;
  return (
    <details class="event" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="row-main">
          <span>{wordsOfEvent(eventType)}</span>
          <span class="quiet">
            <code>{eventType}</code> · <When time={deliveredAt} inLink />
          </span>
        </span>
        <Status state={`delivery ${outcome}`} />
      </summary>
      {isOpen && <Attempt log={log} maySend={maySend} onDone={onDone} />}
    </details>
  );
}

export function Attempt({ log, maySend, onDone }: AttemptRowProps) {
  const { id, url, status, duration, attempt, eventId, error, answer } = log;
  const found = useLoaded(`attempt ${id}`, (signal) => node.getWebhookLog({ id }, { signal }), []);
  const resend = async () => {
    const again = await node.resendWebhook({ id });
    onDone();
    say(
      again.outcome === 'delivered'
        ? `Delivered: ${again.status} in ${again.duration} ms.`
        : `Not delivered. ${failureText(again.error) ?? ''}`,
    );
  };
  const failure = failureText(error);
  return (
    <div class="opened">
      {failure !== undefined && <p class="note">{failure}</p>}
      <dl class="facts">
        <Fact name="Answer">
          {status === 0 ? 'None' : status}, after {duration.toLocaleString('en-US')} ms
        </Fact>
        <Fact name="Attempt">{attempt}</Fact>
        <Fact name="Posted to">
          <bdi>{url}</bdi>
        </Fact>
        <Fact name="Event">
          <code>{eventId}</code>
        </Fact>
      </dl>
      <h3>Request</h3>
      <Shown of={found} rows={1} height={10}>
        {({ request }) =>
          request === undefined ? (
            <p class="quiet">No longer kept: requests are kept for 30 days.</p>
          ) : (
            <Json value={laidOut(request)} />
          )
        }
      </Shown>
      <h3>Response</h3>
      {answer === undefined ? <p class="quiet">Nothing.</p> : <Json value={answer} />}
      {maySend && (
        <div class="buttons">
          <Button onClick={resend}>Send again</Button>
        </div>
      )}
    </div>
  );
}

/** The very members in their order, a line each. */
function laidOut(text: string): unknown {
  return JSON.parse(text) as unknown;
}
