/** The keys by which programs ask this node: what each may do, when it was used last, and the way to end it. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { PagedRows } from '../../parts/rows/PagedRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { say } from '../../parts/toasts.ts';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { permissionText } from '../../parts/values/permissionText.ts';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { NewKey } from './NewKey.tsx';

export type ApiKey = Operations['listApiKeys']['output']['data'][number];

export function ApiKeys() {
  const found = usePages('keys', (page, signal) => node.listApiKeys(page, { signal }), ['key']);
  const [making, setMaking] = useState<{ readonly replaced?: ApiKey }>();
  const replace = (replaced: ApiKey) => setMaking({ replaced });
  return (
    <SubPlaces
      of="/build"
      act={
        <Button kind="first" disabled={making !== undefined} onClick={() => setMaking({})}>
          <Icon name="plus" size={20} /> Create a key
        </Button>
      }
    >
      {making !== undefined && (
        <NewKey
          key={making.replaced?.id ?? 'new'}
          replaced={making.replaced}
          onMade={found.reload}
          onEnd={() => {
            setMaking(undefined);
            found.reload();
          }}
        />
      )}
      <Card title="Keys">
        <Shown of={found} rows={3}>
          {(keys) => (
            <PagedRows
              pages={keys}
              empty={<NoKeys />}
              onMore={found.more}
              table={(items) => <KeyTable keys={items} onReplace={replace} onDone={found.reload} />}
            >
              {(key) => <KeyRow key={key.id} of={key} onReplace={() => replace(key)} onDone={found.reload} />}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </SubPlaces>
  );
}

function NoKeys() {
  return (
    <Empty title="No API key yet">
      <p>Create one here. A key is shown once, when it is created.</p>
    </Empty>
  );
}

interface KeyRowProps {
  readonly of: ApiKey;
  onReplace(): void;
  onDone(): void;
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  onReplace(key: ApiKey): void;
  onDone(): void;
}

function KeyTable({ keys, onReplace, onDone }: KeyTableProps) {
  const columns: readonly TableColumn<ApiKey>[] = [
    { name: 'Name', cell: ({ name }) => <bdi title={name}>{name}</bdi> },
    { name: 'Begins with', width: 9, cell: ({ prefix }) => prefix !== undefined && <code>{prefix}…</code> },
    { name: 'Permissions', cell: (key) => <KeyReach of={key} /> },
    {
      name: 'Last used',
      width: 7,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <When time={lastUsedAt} inLink />),
    },
    { name: 'Created', width: 7, cell: ({ createdAt }) => <When time={createdAt} inLink /> },
    {
      name: '',
      width: 11,
      isEnd: true,
      cell: (key) => <KeyActs of={key} onReplace={() => onReplace(key)} onDone={onDone} />,
    },
  ];
  return (
    <Table
      label={keys.length === 1 ? '1 key' : `${keys.length} keys`}
      columns={columns}
      items={keys}
      keyOf={({ id }) => id}
    />
  );
}

function KeyReach({ of: { permissions, agents = [] } }: { readonly of: ApiKey }) {
  return (
    <>
      {permissionText(permissions)}
      {agents.length > 0 && ' for '}
      {agents.map((did, index) => (
        <span key={did}>
          {index > 0 && ', '}
          <AgentName did={did} />
        </span>
      ))}
    </>
  );
}

function KeyRow({ of, onReplace, onDone }: KeyRowProps) {
  const { name, prefix, createdAt, lastUsedAt } = of;
  return (
    <li class="row acting">
      <span class="row-main">
        <bdi>{name}</bdi>
        <span class="quiet">
          {prefix !== undefined && <code>{prefix}…</code>} <KeyReach of={of} />
          {' · '}
          {lastUsedAt === null ? 'never used' : 'used '}
          {lastUsedAt !== null && <When time={lastUsedAt} inLink />}
          {' · created '}
          <When time={createdAt} inLink />
        </span>
      </span>
      <KeyActs of={of} onReplace={onReplace} onDone={onDone} />
    </li>
  );
}

function KeyActs({ of: { id, name, revokedAt }, onReplace, onDone }: KeyRowProps) {
  const revoke = async () => {
    await node.revokeApiKey({ id });
    say(`${name} is refused from now on.`);
    onDone();
  };
  if (revokedAt !== undefined) return <Status state="REVOKED" />;
  return (
    <span class="acts">
      <Button kind="plain" label={`Replace ${name}`} onClick={onReplace}>
        Replace
      </Button>
      <RiskyButton act="Revoke" of={name} onConfirm={revoke}>
        Programs that use this key are refused from then on. Keys that it created end too, and so do unused links and
        passkeys that it enrolled. This cannot be undone.
      </RiskyButton>
    </span>
  );
}
