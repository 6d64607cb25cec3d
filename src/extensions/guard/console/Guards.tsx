/** The guards before other vendors' tools: those whose tools wait for a look come first. */
import type { Operations } from '../../../../client/operations.ts';
import { node } from '../../../../console/node/node.ts';
import { useLoaded } from '../../../../console/node/useLoaded.ts';
import { usePages } from '../../../../console/node/usePages.ts';
import { Card } from '../../../../console/parts/Card.tsx';
import { Empty } from '../../../../console/parts/Empty.tsx';
import { PagedRows } from '../../../../console/parts/rows/PagedRows.tsx';
import { Shown } from '../../../../console/parts/Shown.tsx';
import { SubPlaces } from '../../../../console/parts/SubPlaces.tsx';
import { AgentName } from '../../../../console/parts/values/AgentName.tsx';
import { When } from '../../../../console/parts/values/When.tsx';

type GuardSummary = Operations['listGuards']['output']['data'][number];

const KINDS = ['tools'];
/** Of one agent a node knows no more. */
const MOST_OF_AGENT = 20;

export function Guards() {
  const found = usePages('guards', (page, signal) => node.listGuards(page, { signal }), KINDS);
  return (
    <SubPlaces of="/settings">
      <Card title="Guards">
        <p class="quiet">
          A guard stands before the tools of others that can spend. What changed of them is not called until an owner
          has looked at it.
        </p>
        <Shown of={found} rows={2} height={5}>
          {(guards) => (
            <PagedRows
              pages={{ ...guards, items: guards.items.toSorted((one, other) => other.waiting - one.waiting) }}
              empty={<NoGuards />}
              onMore={found.more}
            >
              {(guard) => <GuardRow key={guard.id} guard={guard} isOfMany />}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </SubPlaces>
  );
}

function NoGuards() {
  return (
    <Empty title="No guard yet">
      <p>
        Write guard.toml, and have the host of the model start <code>countersign guard</code> in place of the MCP
        server.{' '}
        <a class="inline-link" href="/docs/guides/guard">
          How it is set up
        </a>
      </p>
    </Empty>
  );
}

/** Those of one agent; nothing where there are none. */
export function GuardsCard({ did }: { readonly did: string }) {
  const found = useLoaded(
    `guards ${did}`,
    (signal) => node.listGuards({ agentDid: did, limit: MOST_OF_AGENT }, { signal }),
    KINDS,
  );
  if (found.value === undefined || found.value.data.length === 0) return null;
  return (
    <Card title="Guards">
      <ul class="rows">
        {found.value.data.map((guard) => (
          <GuardRow key={guard.id} guard={guard} />
        ))}
      </ul>
    </Card>
  );
}

function GuardRow({ guard, isOfMany = false }: { readonly guard: GuardSummary; readonly isOfMany?: boolean }) {
  const { id, name, agentDid, waiting, servers, toldAt } = guard;
  return (
    <li>
      <a class="row" href={`#/settings/guards/${id}`}>
        <span class="row-main">
          <span>
            <bdi>{name}</bdi>
            {isOfMany && (
              <>
                {' '}
                of <AgentName did={agentDid} />
              </>
            )}
          </span>
          <span class="quiet">
            before <bdi>{servers.map((server) => server.name).join(', ') || 'nothing'}</bdi>, told{' '}
            <When time={toldAt} inLink />
          </span>
        </span>
        {waiting > 0 && <span class="row-end">{waiting === 1 ? '1 tool waits' : `${waiting} tools wait`}</span>}
      </a>
    </li>
  );
}
