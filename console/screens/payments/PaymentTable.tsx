/** Payments as a table: when, where, what, by which agent, how much, and how they stand; by day where they stand by time. */
import type { ComponentChildren } from 'preact';
import type { Payment } from '../../../client/operations.ts';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Domain } from '../../parts/values/Domain.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { Clock, When } from '../../parts/values/When.tsx';
import { isByAmount } from './filters.ts';

interface PaymentTableProps {
  readonly payments: readonly Payment[];
  readonly label: ComponentChildren;
  readonly sort: string;
  onSort(sort: string): void;
}

export function PaymentTable({ payments, label, sort, onSort }: PaymentTableProps) {
  const byAmount = isByAmount({ sort });
  const columns: readonly TableColumn<Payment>[] = [
    {
      name: 'When',
      width: byAmount ? 7 : 5,
      sort: byAmount ? 'none' : sort === 'oldest' ? 'ascending' : 'descending',
      onSort: () => onSort(sort === '' ? 'oldest' : ''),
      cell: ({ createdAt }) => (byAmount ? <When time={createdAt} inLink /> : <Clock time={createdAt} />),
    },
    { name: 'Agent', width: '19%', isLong: true, cell: ({ agentDid }) => <AgentName did={agentDid} /> },
    { name: 'Merchant', isMain: true, isLong: true, cell: ({ merchant }) => <Domain name={merchant} /> },
    {
      name: 'Bought',
      width: '19%',
      cell: ({ description }) => description !== undefined && <bdi title={description}>{description}</bdi>,
    },
    {
      name: 'Amount',
      width: 8.5,
      isEnd: true,
      sort: !byAmount ? 'none' : sort === 'largest' ? 'descending' : 'ascending',
      onSort: () => onSort(sort === 'largest' ? 'smallest' : 'largest'),
      cell: (payment) => <Money {...payment} />,
    },
    { name: 'State', width: 10.25, cell: ({ status }) => <Status state={status} /> },
  ];
  return (
    <Table
      label={label}
      columns={columns}
      items={payments}
      keyOf={({ mandateId }) => mandateId}
      hrefOf={({ mandateId }) => `#/payments/${mandateId}`}
      timeOf={byAmount ? undefined : ({ createdAt }) => createdAt}
    />
  );
}
