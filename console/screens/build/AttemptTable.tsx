/** The attempts at deliveries to one endpoint as a table; a line opens to what was posted and what was answered. */
import type { WebhookLog } from '../../../client/operations.ts';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { Attempt } from './AttemptRow.tsx';
import { wordsOfEvent } from './eventWords.ts';

const COLUMNS: readonly TableColumn<WebhookLog>[] = [
  {
    name: 'Event',
    isMain: true,
    cell: ({ eventType }) => <span title={eventType}>{wordsOfEvent(eventType)}</span>,
  },
  { name: 'When', width: 6, cell: ({ deliveredAt }) => <When time={deliveredAt} inLink /> },
  { name: 'Attempt', width: 5, isEnd: true, cell: ({ attempt }) => attempt },
  { name: 'Answer', width: 4.5, isEnd: true, cell: ({ status }) => (status === 0 ? 'None' : status) },
  { name: 'State', width: 7.5, cell: ({ outcome }) => <Status state={`delivery ${outcome}`} /> },
];

interface AttemptTableProps {
  readonly attempts: readonly WebhookLog[];
  /** Whether the endpoint takes anything now. */
  readonly maySend: boolean;
  onDone(): void;
}

export function AttemptTable({ attempts, maySend, onDone }: AttemptTableProps) {
  return (
    <Table
      label={attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
      columns={COLUMNS}
      items={attempts}
      keyOf={({ id }) => id}
      openedOf={(log) => <Attempt log={log} maySend={maySend} onDone={onDone} />}
    />
  );
}
