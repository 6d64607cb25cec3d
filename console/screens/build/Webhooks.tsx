/** Where the node tells of what happens: every endpoint, and whether it takes what is posted there. */
import type { Webhook } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { PagedRows } from '../../parts/rows/PagedRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { EVENT_TYPES } from './eventWords.ts';
import { standingOf } from './standing.ts';

export function Webhooks() {
  const found = usePages('webhooks', (page, signal) => node.listWebhooks(page, { signal }), ['webhook']);
  return (
    <SubPlaces
      of="/build"
      act={
        <a class="button first" href="#/build/webhooks/new">
          <Icon name="plus" size={20} /> Add a webhook
        </a>
      }
    >
      <Card title="Webhooks">
        <Shown of={found} rows={4}>
          {(webhooks) => (
            <PagedRows
              pages={webhooks}
              empty={<NoWebhooks />}
              onMore={found.more}
              table={(items) => <WebhookTable webhooks={items} />}
            >
              {(webhook) => (
                <li key={webhook.id}>
                  <WebhookRow webhook={webhook} />
                </li>
              )}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </SubPlaces>
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

const COLUMNS: readonly TableColumn<Webhook>[] = [
  { name: 'Address', isMain: true, cell: ({ url }) => <bdi title={url}>{url}</bdi> },
  { name: 'Events', width: 9, cell: eventsText },
  { name: 'Added', width: 8, cell: ({ createdAt }) => <When time={createdAt} inLink /> },
  {
    name: 'First failure',
    width: 9,
    cell: ({ failingSince }) => failingSince !== undefined && <When time={failingSince} inLink />,
  },
  { name: 'State', width: 8, cell: (webhook) => <Status state={standingOf(webhook)} /> },
];

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <Table
      label={webhooks.length === 1 ? '1 webhook' : `${webhooks.length} webhooks`}
      columns={COLUMNS}
      items={webhooks}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `#/build/webhooks/${id}`}
    />
  );
}

function eventsText({ events }: Webhook): string {
  return events.length === EVENT_TYPES.length ? 'All events' : `${events.length} of ${EVENT_TYPES.length} events`;
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, createdAt, failingSince } = webhook;
  return (
    <a class="row" href={`#/build/webhooks/${id}`}>
      <span class="row-main">
        <bdi>{url}</bdi>
        <span class="quiet">
          {eventsText(webhook)}
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
