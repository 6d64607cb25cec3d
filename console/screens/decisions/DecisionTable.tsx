/** What agents asked for as a table, by day: a line for each purchase, with what was refused of it first. */
import { type GroupedDecisions, whyOf } from '../../parts/table/groupDecisions.ts';
import { Outcome } from '../../parts/table/Outcome.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Domain } from '../../parts/values/Domain.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { reasonText } from '../../parts/values/reasonText.ts';
import { Clock } from '../../parts/values/When.tsx';
import { hrefOf } from '../../shell/places.ts';

const BESIDE_TIME: readonly TableColumn<GroupedDecisions>[] = [
  { name: 'Agent', width: '22%', isLong: true, cell: ({ lead }) => <AgentName did={lead.agentDid} /> },
  {
    name: 'Merchant',
    isMain: true,
    isLong: true,
    cell: ({ lead }) => (lead.merchant === undefined ? 'At no named merchant' : <Domain name={lead.merchant} />),
  },
  { name: 'Amount', width: 8.25, isEnd: true, cell: ({ lead }) => <Money {...lead} /> },
  { name: 'Outcome', width: '31%', isLong: true, cell: (purchase) => <Why of={purchase} /> },
];

/** A person who is asked needs no reason beside. */
function Why({ of }: { readonly of: GroupedDecisions }) {
  const { outcome, reasonCodes } = of.lead;
  return (
    <span class="why" title={whyOf(of.lead)}>
      <Outcome of={of} />
      {outcome === 'refused' && <span class="quiet"> {reasonCodes.map(reasonText).join(', ')}</span>}
    </span>
  );
}

interface DecisionTableProps {
  readonly purchases: readonly GroupedDecisions[];
  readonly label: string;
  /** Empty for the newest first. */
  readonly sort: string;
  onSort(sort: string): void;
}

export function DecisionTable({ purchases, label, sort, onSort }: DecisionTableProps) {
  const when: TableColumn<GroupedDecisions> = {
    name: 'When',
    width: 5,
    sort: sort === '' ? 'descending' : 'ascending',
    onSort: () => onSort(sort === '' ? 'oldest' : ''),
    cell: ({ standsAt }) => <Clock time={standsAt} />,
  };
  return (
    <Table
      label={label}
      columns={[when, ...BESIDE_TIME]}
      items={purchases}
      keyOf={({ lead }) => lead.transactionId}
      hrefOf={({ lead }) => hrefOf(`/decisions/${encodeURIComponent(lead.transactionId)}`)}
      timeOf={({ standsAt }) => standsAt}
    />
  );
}
