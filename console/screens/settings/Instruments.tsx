/** What agents, and whoever buys for a principal, pay with: by its name at the rail, never by a card number. */
import type { Instrument } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { PagedRows } from '../../parts/PagedRows.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { say } from '../../parts/toasts.ts';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Did } from '../../parts/values/Did.tsx';
import { When } from '../../parts/values/When.tsx';
import { AddInstrument } from './AddInstrument.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

export function Instruments() {
  const found = usePages('instruments', (page, signal) => node.listInstruments(page, { signal }), ['instrument']);
  return (
    <SettingsFrame>
      <Shown of={found} rows={2} height={12}>
        {(instruments) => (
          <>
            <Card title="Payment methods">
              <PagedRows pages={instruments} empty={<NoInstruments />} onMore={found.more}>
                {(instrument) => <InstrumentRow key={instrument.id} instrument={instrument} onDone={found.reload} />}
              </PagedRows>
            </Card>
            <AddInstrument onDone={found.reload} />
          </>
        )}
      </Shown>
    </SettingsFrame>
  );
}

function NoInstruments() {
  return (
    <Empty title="No payment method is registered yet">
      <p>
        Without one an agent can pay with what the rail takes by itself, which in the sandbox are its test cards. Add
        one below.
      </p>
    </Empty>
  );
}

interface InstrumentRowProps {
  readonly instrument: Instrument;
  onDone(): void;
}

function InstrumentRow({ instrument, onDone }: InstrumentRowProps) {
  const { id, agentDid, principalDid, paymentMethod, customer, createdAt } = instrument;
  const remove = async () => {
    await node.removeInstrument({ id });
    say('Nothing is bought with it from now on.');
    onDone();
  };
  return (
    <li class="row acting">
      <span class="row-main">
        <bdi>{paymentMethod}</bdi>
        <span class="quiet">
          {agentDid !== undefined && (
            <>
              of <AgentName did={agentDid} />
            </>
          )}
          {principalDid !== undefined && (
            <>
              of the principal <Did did={principalDid} />
            </>
          )}
          {customer !== undefined && (
            <>
              {' '}
              · customer <bdi>{customer}</bdi>
            </>
          )}{' '}
          · added <When time={createdAt} inLink />
        </span>
      </span>
      <RiskyButton act="Remove" of={paymentMethod} onConfirm={remove}>
        Purchases from then on cannot use it. What was reserved with it can still be captured and refunded.
      </RiskyButton>
    </li>
  );
}
