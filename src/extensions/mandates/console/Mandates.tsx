/** The mandates that agents buy by, and whose signature begins one. */
import { may } from '../../../../console/login/may.ts';
import { node } from '../../../../console/node/node.ts';
import { usePages } from '../../../../console/node/usePages.ts';
import { Card } from '../../../../console/parts/Card.tsx';
import { Empty } from '../../../../console/parts/Empty.tsx';
import { usePrincipals } from '../../../../console/parts/holders/usePrincipals.ts';
import { PagedRows } from '../../../../console/parts/rows/PagedRows.tsx';
import { SheetButton } from '../../../../console/parts/SheetButton.tsx';
import { Shown } from '../../../../console/parts/Shown.tsx';
import { SubPlaces } from '../../../../console/parts/SubPlaces.tsx';
import { AddMandate } from './AddMandate.tsx';
import { DelegationRow } from './DelegationRow.tsx';
import { MandateIssuers } from './MandateIssuers.tsx';

export function Mandates() {
  const found = usePages('mandates', (page, signal) => node.listDelegations(page, { signal }), [
    'principal',
    'delegation',
    'intent',
    'payment',
  ]);
  const { principals, nameOf } = usePrincipals();
  const add = may('write') && (
    <SheetButton act="Add a mandate" title="Add a mandate" isMain>
      {(close) => <AddMandate principals={principals} onDone={found.reload} onLeave={close} />}
    </SheetButton>
  );
  return (
    <SubPlaces of="/settings" act={add}>
      <Card title="Mandates">
        <p class="quiet">
          A mandate is a signed permission: it says what an agent may buy. Its purchases must keep to it and to the
          policy.
        </p>
        <Shown of={found} rows={2} height={12}>
          {(delegations) => (
            <PagedRows pages={delegations} empty={<NoMandates />} onMore={found.more}>
              {(delegation) => (
                <DelegationRow
                  key={delegation.id}
                  delegation={delegation}
                  principal={principals.find(({ did }) => did === delegation.principalDid)}
                  onDone={found.reload}
                />
              )}
            </PagedRows>
          )}
        </Shown>
      </Card>
      {may('admin') && <MandateIssuers principals={principals} nameOf={nameOf} />}
    </SubPlaces>
  );
}

function NoMandates() {
  return (
    <Empty title="No mandate yet">
      <p>Trust who signs mandates first, then add one that they have signed.</p>
    </Empty>
  );
}
