/** Payments as a table, by day: when, where, what, by which agent, how much, and how they stand. */
import type { ComponentChildren } from 'preact';
import type { Payment } from '../../../client/operations.ts';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { AgentName } from '../../parts/values/AgentName.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { Clock } from '../../parts/values/When.tsx';

const COLUMNS: readonly TableColumn<Payment>[] = [
  { name: 'When', width: 4, cell: ({ createdAt }) => <Clock time={createdAt} /> },
  { name: 'Agent', width: 10, cell: ({ agentDid }) => <AgentName did={agentDid} /> },
  { name: 'Merchant', isMain: true, cell: ({ merchant }) => <bdi>{merchant}</bdi> },
  {
    name: 'Bought',
    cell: ({ description }) => description !== undefined && <bdi title={description}>{description}</bdi>,
  },
  { name: 'Amount', width: 8.5, isEnd: true, cell: (payment) => <Money {...payment} /> },
  { name: 'State', width: 10, cell: ({ status }) => <Status state={status} /> },
];

interface PaymentTableProps {
  readonly payments: readonly Payment[];
  readonly label: ComponentChildren;
}

export function PaymentTable({ payments, label }: PaymentTableProps) {
  return (
    <Table
      label={label}
      columns={COLUMNS}
      items={payments}
      keyOf={({ mandateId }) => mandateId}
      hrefOf={({ mandateId }) => `#/payments/${mandateId}`}
      timeOf={({ createdAt }) => createdAt}
    />
  );
}
