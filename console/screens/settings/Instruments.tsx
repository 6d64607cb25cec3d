/** What agents pay with, their own or a principal's: by its name at the rail, never by a card number. */
import type { Instrument } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { HolderName } from '../../parts/holders/HolderName.tsx';
import { InstrumentRow, RemoveInstrument } from '../../parts/holders/InstrumentRow.tsx';
import { usePrincipals } from '../../parts/holders/usePrincipals.ts';
import { PagedRows } from '../../parts/rows/PagedRows.tsx';
import { SheetButton } from '../../parts/SheetButton.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { When } from '../../parts/values/When.tsx';
import { AddInstrument } from './AddInstrument.tsx';

export function Instruments() {
  const found = usePages('instruments', (page, signal) => node.listInstruments(page, { signal }), ['instrument']);
  const { principals, nameOf } = usePrincipals();
  const add = (
    <SheetButton act="Add a payment method" title="Add a payment method" isMain>
      {(close) => <AddInstrument principals={principals} onDone={found.reload} onLeave={close} />}
    </SheetButton>
  );
  return (
    <SubPlaces of="/settings" act={add}>
      <Card title="Payment methods">
        <Shown of={found} rows={2} height={12}>
          {(instruments) => (
            <PagedRows
              pages={instruments}
              empty={<NoInstruments />}
              onMore={found.more}
              table={(items) => <InstrumentTable instruments={items} nameOf={nameOf} onDone={found.reload} />}
            >
              {(instrument) => (
                <InstrumentRow
                  key={instrument.id}
                  instrument={instrument}
                  principal={nameOf(instrument.principalDid)}
                  onDone={found.reload}
                />
              )}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </SubPlaces>
  );
}

interface InstrumentTableProps {
  readonly instruments: readonly Instrument[];
  /** Of a principal. */
  nameOf(did?: string): string | undefined;
  onDone(): void;
}

function InstrumentTable({ instruments, nameOf, onDone }: InstrumentTableProps) {
  const columns: readonly TableColumn<Instrument>[] = [
    { name: 'Payment method', cell: ({ paymentMethod }) => <bdi title={paymentMethod}>{paymentMethod}</bdi> },
    {
      name: 'Holder',
      cell: (instrument) => <HolderName of={instrument} principal={nameOf(instrument.principalDid)} />,
    },
    { name: 'Customer', cell: ({ customer }) => <bdi title={customer}>{customer}</bdi> },
    { name: 'Added', width: 6.5, cell: ({ createdAt }) => <When time={createdAt} inLink /> },
    {
      name: '',
      width: 6.5,
      isEnd: true,
      cell: (instrument) => <RemoveInstrument instrument={instrument} onDone={onDone} />,
    },
  ];
  return (
    <Table
      label={instruments.length === 1 ? '1 payment method' : `${instruments.length} payment methods`}
      columns={columns}
      items={instruments}
      keyOf={({ id }) => id}
    />
  );
}

function NoInstruments() {
  return (
    <Empty title="No payment method is registered yet">
      <p>Without one an agent can pay with what the rail takes by itself, which in the sandbox are its test cards.</p>
    </Empty>
  );
}
