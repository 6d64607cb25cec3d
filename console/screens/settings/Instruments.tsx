/** What agents pay with, their own or a principal's: by its name at the rail, never by a card number. */
import type { Principal } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { InstrumentRow } from '../../parts/holders/InstrumentRow.tsx';
import { PagedRows } from '../../parts/PagedRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { AddInstrument } from './AddInstrument.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** So many are offered; the page of each offers it, too. */
const MOST_PRINCIPALS = 200;

export function Instruments() {
  const found = usePages('instruments', (page, signal) => node.listInstruments(page, { signal }), ['instrument']);
  const principals = useLoaded('principals', loadPrincipals, ['principal', 'delegation']).value ?? [];
  const named = new Map(principals.map(({ did, name }) => [did, name]));
  return (
    <SettingsFrame>
      <Shown of={found} rows={2} height={12}>
        {(instruments) => (
          <div class="split">
            <Card title="Payment methods">
              <PagedRows pages={instruments} empty={<NoInstruments />} onMore={found.more}>
                {(instrument) => (
                  <InstrumentRow
                    key={instrument.id}
                    instrument={instrument}
                    principal={named.get(instrument.principalDid ?? '')}
                    onDone={found.reload}
                  />
                )}
              </PagedRows>
            </Card>
            <aside class="context">
              <AddInstrument principals={principals} onDone={found.reload} />
            </aside>
          </div>
        )}
      </Shown>
    </SettingsFrame>
  );
}

async function loadPrincipals(signal: AbortSignal): Promise<readonly Principal[]> {
  return (await node.listPrincipals({ limit: MOST_PRINCIPALS }, { signal })).data;
}

function NoInstruments() {
  return (
    <Empty title="No payment method is registered yet">
      <p>Without one an agent can pay with what the rail takes by itself, which in the sandbox are its test cards.</p>
    </Empty>
  );
}
