/** Where the node tells of what happens: every endpoint, and whether it takes what is posted there. */
import type { Webhook } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { PagedRows } from '../../parts/PagedRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { BuildFrame } from './BuildFrame.tsx';
import { EVENT_TYPES } from './eventWords.ts';
import { standingOf } from './standing.ts';

export function Webhooks() {
  const found = usePages('webhooks', (page, signal) => node.listWebhooks(page, { signal }), ['webhook']);
  return (
    <BuildFrame>
      <Card
        title="Webhooks"
        aside={
          <a class="button second" href="#/build/webhooks/new">
            <Icon name="plus" size={20} /> Add
          </a>
        }
      >
        <Shown of={found} rows={4}>
          {(webhooks) => (
            <PagedRows pages={webhooks} empty={<NoWebhooks />} onMore={found.more}>
              {(webhook) => (
                <li key={webhook.id}>
                  <WebhookRow webhook={webhook} />
                </li>
              )}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </BuildFrame>
  );
}

function NoWebhooks() {
  return (
    <Empty title="No webhooks yet">
      <p>
        Add the address of a program of yours: the node posts signed events there. To try one on your own machine, run{' '}
        <code>countersign listen</code>.
      </p>
    </Empty>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, events, createdAt, failingSince } = webhook;
  return (
    <a class="row" href={`#/build/webhooks/${id}`}>
      <span class="row-main">
        <bdi>{url}</bdi>
        <span class="quiet">
          {events.length === EVENT_TYPES.length ? 'All events' : `${events.length} of ${EVENT_TYPES.length} events`}
          {failingSince === undefined ? ' · added ' : ' · first failure '}
          <When time={failingSince ?? createdAt} inLink />
        </span>
      </span>
      <span class="row-end">
        <Status state={standingOf(webhook)} />
      </span>
    </a>
  );
}
