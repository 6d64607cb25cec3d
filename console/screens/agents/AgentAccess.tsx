/** How an agent comes in besides its own key: the API keys that are bound to it, and its sessions that are open. */
import type { Operations } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { say } from '../../parts/toasts.ts';
import { permissionText } from '../../parts/values/permissionText.ts';
import { When } from '../../parts/values/When.tsx';

export type BoundKey = Operations['listApiKeys']['output']['data'][number];
type OpenSession = Operations['listSessions']['output']['data'][number];

interface AgentAccessProps {
  readonly did: string;
  /** Undefined for who may not administer. */
  readonly keys: readonly BoundKey[] | undefined;
  readonly sessions: readonly OpenSession[];
  onDone(): void;
}

export function AgentAccess({ did, keys, sessions, onDone }: AgentAccessProps) {
  if (keys === undefined && sessions.length === 0) return null;
  return (
    <Card title="Keys and sessions">
      <p class="quiet">
        The agent signs with its own key, which it shares with no one. Revoking the agent ends that key.
      </p>
      {keys !== undefined && <Keys did={did} keys={keys} onDone={onDone} />}
      {sessions.length > 0 && <Sessions sessions={sessions} />}
    </Card>
  );
}

function Keys({
  did,
  keys,
  onDone,
}: Pick<AgentAccessProps, 'did' | 'onDone'> & { readonly keys: readonly BoundKey[] }) {
  if (keys.length === 0) {
    return (
      <Empty title="No API key is bound to this agent">
        <p>
          <code>countersign key create --name NAME --permissions read,write --agents {did}</code> makes one, for an
          agent that cannot sign.
        </p>
      </Empty>
    );
  }
  const revoke = async ({ id, name }: BoundKey) => {
    await node.revokeApiKey({ id });
    say(`The key ${name} is revoked.`);
    onDone();
  };
  return (
    <ul class="rows">
      {keys.map((key) => (
        <li key={key.id} class="row">
          <span class="row-main">
            <bdi>{key.name}</bdi>
            <span class="quiet">
              <code>{key.id}</code> · {permissionText(key.permissions)} ·{' '}
              {key.lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  last used <When time={key.lastUsedAt} inLink />
                </>
              )}
            </span>
          </span>
          <RiskyButton act="Revoke" of={`the key ${key.name}`} onConfirm={() => revoke(key)}>
            Programs that use this key are refused from then on. This cannot be undone.
          </RiskyButton>
        </li>
      ))}
    </ul>
  );
}

function Sessions({ sessions }: { readonly sessions: readonly OpenSession[] }) {
  return (
    <>
      <h3>Open sessions</h3>
      <ul class="rows">
        {sessions.map(({ contextId, messageCount, createdAt, expiresAt }) => (
          <li key={contextId} class="row">
            <span class="row-main">
              <bdi class="one-line">{contextId}</bdi>
              <span class="quiet">
                {messageCount === 1 ? '1 message' : `${messageCount} messages`} · since <When time={createdAt} inLink />
              </span>
            </span>
            <span class="row-end quiet">
              ends <When time={expiresAt} inLink />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
