/** The newest events, of all types or of one, page by page. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { EvidenceEvent } from '../../../client/operations.ts';
import { nameOf } from '../../node/agentNames.ts';
import { saveCsv } from '../../node/files.ts';
import { NODE_DID } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Choice } from '../../parts/form/Field.tsx';
import { useActors } from '../../parts/holders/useMakers.tsx';
import { Json } from '../../parts/Json.tsx';
import { FilterBar } from '../../parts/table/FilterBar.tsx';
import { isDesk } from '../../parts/table/isDesk.ts';
import { MoreButton } from '../../parts/table/MoreButton.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { sayTrouble } from '../../parts/toasts.ts';
import { EVIDENCE_WORDS, evidenceText } from '../../parts/values/evidenceText.ts';
import { happenedText } from '../../parts/values/happenedText.ts';
import { Clock, When } from '../../parts/values/When.tsx';
import { count } from './figures.ts';

const PAGE = 20;
const TYPES = [['', 'All'] as const, ...Object.entries(EVIDENCE_WORDS)];

export function NewestEvents({ first }: { readonly first: readonly EvidenceEvent[] }) {
  const [type, setType] = useState('');
  const [events, setEvents] = useState(first);
  const [cursor, setCursor] = useState<string | null>();
  useEffect(() => {
    if (type === '' && cursor === undefined) setEvents(first);
  }, [first, type, cursor]);
  const typed = type === '' ? {} : { eventTypes: type };
  const asked = useRef('');
  const show = async (eventType: string, from?: string) => {
    asked.current = eventType;
    const filter = eventType === '' ? {} : { eventType };
    const page = await node.searchEvidence({ limit: PAGE, ...filter, ...(from === undefined ? {} : { cursor: from }) });
    // Another type was chosen meanwhile.
    if (asked.current !== eventType) return;
    setEvents((before) => (from === undefined ? page.data : [...before, ...page.data]));
    setCursor(page.cursor);
  };
  const choose = (next: string) => {
    setType(next);
    show(next).catch(sayTrouble);
  };
  const more = async () => {
    if (cursor !== undefined && cursor !== null) return show(type, cursor);
    // The first page came with the screen; its end is found anew.
    const page = await node.searchEvidence({ limit: PAGE, ...(type === '' ? {} : { eventType: type }) });
    setCursor(page.cursor);
    if (page.cursor !== null) await show(type, page.cursor);
  };
  return (
    <Card title="Events">
      <FilterBar
        filters={type === '' ? [] : [{ name: 'type', text: `Type: ${evidenceText(type)}` }]}
        fields={[{ name: 'Type', fields: <Choice label="Type" value={type} options={TYPES} onChange={choose} /> }]}
        onRemove={() => choose('')}
        onClear={() => choose('')}
        onCsv={() => saveCsv('evidence/export', { format: 'csv', ...typed })}
      />
      {events.length === 0 && <Empty title="No event of this type" />}
      {events.length > 0 && isDesk.value ? <EventTable events={events} /> : <EventRows events={events} />}
      {cursor !== null && events.length >= PAGE && <MoreButton onMore={more} />}
    </Card>
  );
}

type Actor = Parameters<ReturnType<typeof useActors>>[0];

/** Who had the node do what it records of itself. */
const actorIn = ({ data }: EvidenceEvent) => data['by'] as Actor | undefined;

const columnsBy = (named: ReturnType<typeof useActors>): readonly TableColumn<EvidenceEvent>[] => [
  { name: 'When', width: 4, cell: ({ createdAt }) => <Clock time={createdAt} /> },
  { name: 'Number', width: 5, isEnd: true, cell: ({ seq }) => count(seq) },
  {
    name: 'What happened',
    isMain: true,
    isLong: true,
    cell: (event) => <span title={event.eventType}>{happenedText(event)}</span>,
  },
  {
    name: 'By',
    width: 9,
    isLong: true,
    cell: (event) => <ActedBy event={event} named={named} />,
  },
];

interface ActedByProps {
  readonly event: EvidenceEvent;
  readonly named: ReturnType<typeof useActors>;
}

function ActedBy({ event, named }: ActedByProps) {
  const { actorDid } = event;
  const by = actorIn(event);
  const name =
    by !== undefined && by.kind !== 'node' ? named(by) : actorDid === NODE_DID ? 'This node' : nameOf(actorDid);
  return <bdi title={actorDid}>{name}</bdi>;
}

function EventTable({ events }: { readonly events: readonly EvidenceEvent[] }) {
  const named = useActors(events.some((event) => actorIn(event) !== undefined));
  return (
    <Table
      label={`The newest ${events.length} events`}
      columns={columnsBy(named)}
      items={events}
      keyOf={({ id }) => id}
      timeOf={({ createdAt }) => createdAt}
      openedOf={({ data }) => <Json value={data} />}
    />
  );
}

function EventRows({ events }: { readonly events: readonly EvidenceEvent[] }) {
  const named = useActors(events.some((event) => actorIn(event) !== undefined));
  return (
    <ul class="rows">
      {events.map((event) => (
        <li key={event.id}>
          <details class="event">
            <summary>
              <span title={event.eventType}>{happenedText(event)}</span>
              <span class="quiet">
                {count(event.seq)} · <When time={event.createdAt} inLink /> · <ActedBy event={event} named={named} />
              </span>
            </summary>
            <Json value={event.data} />
          </details>
        </li>
      ))}
    </ul>
  );
}
