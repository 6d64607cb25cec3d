/** The mandates of one agent, or with the money of one person or company; nothing where there are none. */
import type { Delegation } from '../../../../client/operations.ts';
import { each } from '../../../../client/records.ts';
import { node } from '../../../../console/node/node.ts';
import { useLoaded } from '../../../../console/node/useLoaded.ts';
import { Card } from '../../../../console/parts/Card.tsx';
import { usePrincipals } from '../../../../console/parts/holders/usePrincipals.ts';
import { DelegationRow } from './DelegationRow.tsx';

/** What stands on such a page; the screen of mandates has all of them. */
const MOST = 200;
/** So many are looked through for those with one's money; an agent's own are found by an index. */
const MOST_LOOKED_THROUGH = 2000;

interface MandateList {
  readonly delegations: readonly Delegation[];
  /** Whether there may be others, which the screen of mandates has. */
  readonly isPart: boolean;
}

export function AgentMandates({ did }: { readonly did: string }) {
  return (
    <Mandates
      did={did}
      find={async (signal) => {
        const { data, hasMore } = await node.listDelegations({ agentDid: did, limit: MOST }, { signal });
        return { delegations: data, isPart: hasMore };
      }}
    />
  );
}

export function PrincipalMandates({ did }: { readonly did: string }) {
  return <Mandates did={did} find={(signal) => findWithMoneyOf(did, signal)} />;
}

async function findWithMoneyOf(did: string, signal: AbortSignal): Promise<MandateList> {
  const delegations: Delegation[] = [];
  let looked = 0;
  for await (const delegation of each(node.listDelegations, { limit: MOST }, { signal })) {
    if (looked === MOST_LOOKED_THROUGH || delegations.length === MOST) return { delegations, isPart: true };
    looked += 1;
    if (delegation.principalDid === did) delegations.push(delegation);
  }
  return { delegations, isPart: false };
}

interface MandatesProps {
  readonly did: string;
  find(signal: AbortSignal): Promise<MandateList>;
}

function Mandates({ did, find }: MandatesProps) {
  const found = useLoaded(`mandates ${did}`, find, ['principal', 'delegation', 'intent', 'payment']);
  const { principals } = usePrincipals();
  if (found.value === undefined) return null;
  const { delegations, isPart } = found.value;
  if (delegations.length === 0 && !isPart) return null;
  return (
    <Card title="Mandates">
      <ul class="rows">
        {delegations.map((delegation) => (
          <DelegationRow
            key={delegation.id}
            delegation={delegation}
            principal={principals.find(({ did }) => did === delegation.principalDid)}
            onDone={found.reload}
          />
        ))}
      </ul>
      {isPart && (
        <p class="quiet">
          Older ones are among <a href="#/settings/mandates">all mandates</a>.
        </p>
      )}
    </Card>
  );
}
