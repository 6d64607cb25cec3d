/** What agents asked for as a table, by day where it stands by time: a line for each purchase, with what was refused of it first. */
import { type GroupedDecisions, whyOf } from '../../parts/table/groupDecisions.ts';
import { Outcome } from '../../parts/table/Outcome.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Domain } from '../../parts/values/Domain.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { reasonText } from '../../parts/values/reasonText.ts';
import { Clock, When } from '../../parts/values/When.tsx';
import { hrefOf } from '../../shell/places.ts';
import { isByAmount } from '../payments/filters.ts';

const PARTIES: readonly TableColumn<GroupedDecisions>[] = [
  { name: 'Agent', width: '22%', isLong: true, cell: ({ lead }) => <AgentName did={lead.agentDid} /> },
  {
    name: 'Merchant',
    isMain: true,
    isLong: true,
    cell: ({ lead }) => (lead.merchant === undefined ? 'At no named merchant' : <Domain name={lead.merchant} />),
  },
];
const OUTCOME: TableColumn<GroupedDecisions> = {
  name: 'Outcome',
  width: '31%',
  isLong: true,
  cell: (purchase) => <Why of={purchase} />,
};

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
  const byAmount = isByAmount({ sort });
  const when: TableColumn<GroupedDecisions> = {
    name: 'When',
    width: byAmount ? 7 : 5,
    sort: byAmount ? 'none' : sort === '' ? 'descending' : 'ascending',
    onSort: () => onSort(sort === '' ? 'oldest' : ''),
    cell: ({ first: { createdAt } }) => (byAmount ? <When time={createdAt} inLink /> : <Clock time={createdAt} />),
  };
  const amount: TableColumn<GroupedDecisions> = {
    name: 'Amount',
    width: 8.25,
    isEnd: true,
    sort: !byAmount ? 'none' : sort === 'largest' ? 'descending' : 'ascending',
    onSort: () => onSort(sort === 'largest' ? 'smallest' : 'largest'),
    cell: ({ lead, first }) => <Money {...(byAmount ? first : lead)} />,
  };
  return (
    <Table
      label={label}
      columns={[when, ...PARTIES, amount, OUTCOME]}
      items={purchases}
      keyOf={({ lead }) => lead.transactionId}
      hrefOf={({ lead }) => hrefOf(`/decisions/${encodeURIComponent(lead.transactionId)}`)}
      timeOf={byAmount ? undefined : ({ first }) => first.createdAt}
    />
  );
}
