/** Every registered principal: whose money agents spend, and how many agents may. */

import type { Principal } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Head } from '../../parts/Head.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { PagedRows } from '../../parts/rows/PagedRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { When } from '../../parts/values/When.tsx';

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
      <Head title="Whose money">
        <a class="button first" href="#/principals/new">
          <Icon name="plus" size={20} /> Add a person or company
        </a>
      </Head>
      <Card class="list">
        <Shown of={found} rows={3} height={4.5}>
          {(principals) => (
            <PagedRows
              pages={principals}
              empty={<None />}
              onMore={found.more}
              table={(items) => <PrincipalTable principals={items} />}
            >
              {({ did, name, agents }) => (
                <li key={did}>
                  <a class="row" href={`#/principals/${encodeURIComponent(did)}`}>
                    <span class="row-main">
                      <bdi class="agent">{name}</bdi>
                      <span class="quiet">
                        {agents.length === 0 ? (
                          'No agent may spend its money'
                        ) : (
                          <>
                            <AgentNames of={agents} /> may spend its money
                          </>
                        )}
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

const COLUMNS: readonly TableColumn<Principal>[] = [
  { name: 'Name', isMain: true, cell: ({ name }) => <bdi title={name}>{name}</bdi> },
  {
    name: 'Agents that may spend its money',
    width: '40%',
    cell: ({ agents }) => (agents.length === 0 ? <span class="quiet">None</span> : <AgentNames of={agents} />),
  },
  { name: 'Registered', width: 7, cell: ({ createdAt }) => <When time={createdAt} inLink /> },
];

function PrincipalTable({ principals }: { readonly principals: readonly Principal[] }) {
  return (
    <Table
      label={principals.length === 1 ? '1 person or company' : `${principals.length} people and companies`}
      columns={COLUMNS}
      items={principals}
      keyOf={({ did }) => did}
      hrefOf={({ did }) => `#/principals/${encodeURIComponent(did)}`}
    />
  );
}

function AgentNames({ of }: { readonly of: readonly string[] }) {
  const named = of.slice(0, NAMED_AGENTS);
  const more = of.length - named.length;
  return (
    <>
      {named.map((did, index) => (
        <span key={did}>
          {index > 0 && ', '}
          <AgentName did={did} />
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

function None() {
  return (
    <Empty title="No person or company is registered yet">
      <p>
        Register the person or company whose money agents spend, which the API calls a principal. From then on only
        agents that you name spend its money, and only its own passkeys approve what needs a person. Until then any
        agent may name any person, and each agent’s own passkeys approve.
      </p>
    </Empty>
  );
}
