/** The keys by which programs ask this node: what each may do, when it was used last, and the way to end it. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { PagedRows } from '../../parts/PagedRows.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { say } from '../../parts/toasts.ts';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { permissionText } from '../../parts/values/permissionText.ts';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { BuildFrame } from './BuildFrame.tsx';
import { NewKey } from './NewKey.tsx';

export type ApiKey = Operations['listApiKeys']['output']['data'][number];

export function ApiKeys() {
  const found = usePages('keys', (page, signal) => node.listApiKeys(page, { signal }), ['key']);
  const [replaced, setReplaced] = useState<ApiKey>();
  return (
    <BuildFrame>
      <NewKey
        key={replaced?.id ?? 'new'}
        replaced={replaced}
        onMade={found.reload}
        onEnd={() => {
          setReplaced(undefined);
          found.reload();
        }}
      />
      <Card title="Keys">
        <Shown of={found} rows={3}>
          {(keys) => (
            <PagedRows pages={keys} empty={<NoKeys />} onMore={found.more}>
              {(key) => <KeyRow key={key.id} of={key} onReplace={() => setReplaced(key)} onDone={found.reload} />}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </BuildFrame>
  );
}

function NoKeys() {
  return (
    <Empty title="No program has a key yet">
      <p>Create one above. A key is shown once, when it is created.</p>
    </Empty>
  );
}

interface KeyRowProps {
  readonly of: ApiKey;
  onReplace(): void;
  onDone(): void;
}

function KeyRow({ of, onReplace, onDone }: KeyRowProps) {
  const { name, createdAt, lastUsedAt, revokedAt, agents = [] } = of;
  const isOver = revokedAt !== undefined;
  return (
    <li class="row acting">
      <span class="row-main">
        <bdi>{name}</bdi>
        <span class="quiet">
          {permissionText(of.permissions)}
          {agents.length > 0 && ' for '}
          {agents.map((did, index) => (
            <span key={did}>
              {index > 0 && ', '}
              <AgentName did={did} />
            </span>
          ))}
          {' · '}
          {lastUsedAt === null ? 'never used' : 'used '}
          {lastUsedAt !== null && <When time={lastUsedAt} inLink />}
          {' · made '}
          <When time={createdAt} inLink />
        </span>
      </span>
      {isOver ? <Status state="REVOKED" /> : <KeyActs of={of} onReplace={onReplace} onDone={onDone} />}
    </li>
  );
}

function KeyActs({ of: { id, name }, onReplace, onDone }: KeyRowProps) {
  const revoke = async () => {
    await node.revokeApiKey({ id });
    say(`${name} is refused from now on.`);
    onDone();
  };
  return (
    <span class="acts">
      <Button kind="plain" label={`Replace ${name}`} onClick={onReplace}>
        Replace
      </Button>
      <RiskyButton act="Revoke" of={name} onConfirm={revoke}>
        Programs that use it are refused from that moment on, and with it end the keys and the unused links that it
        made. It cannot be taken back.
      </RiskyButton>
    </span>
  );
}
