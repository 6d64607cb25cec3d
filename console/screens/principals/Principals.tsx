/** Every registered principal: whose money agents spend, and how many agents may. */
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { PagedRows } from '../../parts/PagedRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';

/** So many are named; of more the number is said. */
const NAMED_AGENTS = 2;

export function Principals() {
  const found = usePages('principals', (page, signal) => node.listPrincipals(page, { signal }), [
    'principal',
    'delegation',
    'agent',
  ]);
  return (
    <>
      <div class="head">
        <h1>Principals</h1>
        <a class="button first" href="#/principals/new">
          <Icon name="plus" size={20} /> Register a principal
        </a>
      </div>
      <Card>
        <Shown of={found} rows={3} height={4.5}>
          {(principals) => (
            <PagedRows pages={principals} empty={<None />} onMore={found.more}>
              {({ did, name, agents }) => (
                <li key={did}>
                  <a class="row" href={`#/principals/${encodeURIComponent(did)}`}>
                    <span class="row-main">
                      <bdi class="agent">{name}</bdi>
                      <span class="quiet">
                        <Spenders agents={agents} />
                      </span>
                    </span>
                  </a>
                </li>
              )}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </>
  );
}

function Spenders({ agents }: { readonly agents: readonly string[] }) {
  if (agents.length === 0) return <>No agent may spend its money</>;
  const named = agents.slice(0, NAMED_AGENTS);
  const more = agents.length - named.length;
  return (
    <>
      {named.map((did, index) => (
        <span key={did}>
          {index > 0 && ', '}
          <AgentName did={did} />
        </span>
      ))}
      {more > 0 && ` and ${more} more`} may spend its money
    </>
  );
}

function None() {
  return (
    <Empty title="No principal is registered yet">
      <p>
        A principal is the person or company whose money agents spend. Once it is registered, only agents that you name
        spend its money, and only its own passkeys approve what needs a person. Until then any agent may name anyone,
        and each agent’s own passkeys approve.
      </p>
    </Empty>
  );
}
