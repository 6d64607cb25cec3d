/** One endpoint: whether it takes what is posted, what waits for it, and each attempt. */

import { useEffect } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { type LoadState, useLoaded } from '../../node/useLoaded.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Head } from '../../parts/Head.tsx';
import { PagedRows } from '../../parts/rows/PagedRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import type { ScreenProps } from '../../shell/screens.ts';
import { AttemptRow } from './AttemptRow.tsx';
import { AttemptTable } from './AttemptTable.tsx';
import { EVENT_TYPES, wordsOfEvent } from './eventWords.ts';
import { standingOf } from './standing.ts';
import { WebhookActs, WebhookButton } from './WebhookActs.tsx';

export type ShownWebhook = Operations['getWebhook']['output'];

/** Deliveries are no part of the evidence, so that nothing tells of them. */
const LOOK_MS = 4000;

export function OneWebhook({ params }: ScreenProps) {
  const id = params['id'] ?? '';
  const found = useLoaded(`webhook ${id}`, (signal) => node.getWebhook({ id }, { signal }), ['webhook']);
  const attempts = usePages(
    `attempts ${id}`,
    async (page, signal) => {
      const { logs, cursor } = await node.listWebhookLogs({ ...page, webhookId: id }, { signal });
      return { data: logs, cursor };
    },
    [],
  );
  const reload = () => {
    found.reload();
    attempts.reload();
  };
  const isThere = found.value !== undefined && attempts.value !== undefined;
  useEffect(() => {
    // A look ends the one before, so that the first must not be ended by it.
    if (!isThere) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [id, isThere]);
  return (
    <>
      <Head back={{ href: '#/build/webhooks', name: 'Webhooks' }}>
        {found.value !== undefined && <WebhookButton webhook={found.value} onDone={reload} />}
      </Head>
      <div class="split">
        <Shown of={{ ...together(found, attempts), reload }} rows={2} height={16}>
          {([webhook, pages]) => (
            <>
              <Endpoint webhook={webhook} />
              <aside class="context">
                <WebhookActs webhook={webhook} onDone={reload} />
              </aside>
              <Card title="Attempts">
                <PagedRows
                  pages={pages}
                  empty={<NoAttempts />}
                  onMore={attempts.more}
                  table={(items) => (
                    <AttemptTable attempts={items} maySend={webhook.status === 'ACTIVE'} onDone={reload} />
                  )}
                >
                  {(log) => (
                    <li key={log.id}>
                      <AttemptRow log={log} maySend={webhook.status === 'ACTIVE'} onDone={reload} />
                    </li>
                  )}
                </PagedRows>
              </Card>
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

/** What comes later would move what is there. */
function together<One, Other>(
  one: LoadState<One>,
  other: LoadState<Other>,
): Pick<LoadState<[One, Other]>, 'value' | 'error'> {
  const error = one.error ?? other.error;
  const isThere = one.value !== undefined && other.value !== undefined;
  return { value: isThere ? [one.value as One, other.value as Other] : undefined, error };
}

function NoAttempts() {
  return (
    <Empty title="No delivery yet">
      <p>Send a sample, or wait for the next event.</p>
    </Empty>
  );
}

function Endpoint({ webhook }: { readonly webhook: ShownWebhook }) {
  const { url, events, createdAt, failingSince, waiting, previousSecretUntil } = webhook;
  return (
    <Card isMain title={<bdi class="clamped">{url}</bdi>} aside={<Status state={standingOf(webhook)} />}>
      {failingSince !== undefined && webhook.status === 'ACTIVE' && (
        <p class="note">
          Deliveries have failed since <When time={failingSince} />. The node keeps trying. See below what the endpoint
          answered, repair it, then send an attempt again.
        </p>
      )}
      <dl class="facts">
        <Fact name="Waiting">
          {countOf(waiting.pending)}
          {waiting.held > 0 && `; ${countOf(waiting.held)} held, each for seven days`}
        </Fact>
        <Fact name="Added">
          <When time={createdAt} />
        </Fact>
        {previousSecretUntil !== undefined && (
          <Fact name="Former secret">
            signs too until <When time={previousSecretUntil} />
          </Fact>
        )}
      </dl>
      <details>
        <summary>
          {events.length === EVENT_TYPES.length ? 'All events' : `${events.length} of ${EVENT_TYPES.length} events`}
        </summary>
        <ul class="causes">
          {events.map((type) => (
            <li key={type}>
              {wordsOfEvent(type)} <code>{type}</code>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}

/** The node counts up to a thousand. */
function countOf(waiting: number): string {
  if (waiting >= 1000) return '1,000 deliveries or more';
  return waiting === 1 ? '1 delivery' : `${waiting} deliveries`;
}
