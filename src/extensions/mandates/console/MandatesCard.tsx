/** The mandates of one agent, or with the money of one principal; nothing where there are none. */
import { node } from '../../../../console/node/node.ts';
import { useLoaded } from '../../../../console/node/useLoaded.ts';
import { Card } from '../../../../console/parts/Card.tsx';
import { usePrincipals } from '../../../../console/parts/holders/usePrincipals.ts';
import { DelegationRow } from './DelegationRow.tsx';

/** What stands on such a page; the screen of mandates has all of them. */
const MOST = 200;

export function MandatesCard({ did }: { readonly did: string }) {
  const found = useLoaded(
    `mandates ${did}`,
    async (signal) => {
      const { data } = await node.listDelegations({ limit: MOST }, { signal });
      return data.filter(({ agentDid, principalDid }) => agentDid === did || principalDid === did);
    },
    ['delegation', 'intent', 'payment'],
  );
  const { nameOf } = usePrincipals();
  if (found.value === undefined || found.value.length === 0) return null;
  return (
    <Card title="Mandates">
      <ul class="rows">
        {found.value.map((delegation) => (
          <DelegationRow
            key={delegation.id}
            delegation={delegation}
            principal={nameOf(delegation.principalDid)}
            onDone={found.reload}
          />
        ))}
      </ul>
    </Card>
  );
}
