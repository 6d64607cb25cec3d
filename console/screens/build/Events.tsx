/** What happens at the node, as it happens: a sentence each, which opens to what was said. */
import { useEffect, useState } from 'preact/hooks';
import { may } from '../../login/may.ts';
import { nameOf } from '../../node/agentNames.ts';
import { IS_SANDBOX } from '../../node/here.ts';
import { isLive } from '../../node/live.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Choice } from '../../parts/form/Field.tsx';
import { Json } from '../../parts/Json.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { FilterBar } from '../../parts/table/FilterBar.tsx';
import { When } from '../../parts/values/When.tsx';
import { eventSentence } from './eventSentence.ts';
import { wordsOfEvent } from './eventWords.ts';
import { type Heard, heard, listen, MOST_HEARD } from './heard.ts';

export function Events() {
  const [type, setType] = useState('');
  /** What is shown while it is paused. */
  const [paused, setPaused] = useState<readonly Heard[]>();
  useEffect(listen, []);
  const all = heard.value;
  const stream = paused ?? all;
  const shown = stream.filter((each) => type === '' || each.type === type);
  const present = [...new Set(stream.map((each) => each.type))].sort();
  const types = [['', 'All'] as const, ...present.map((each) => [each, wordsOfEvent(each)] as const)];
  const missed = paused === undefined ? 0 : newSince(paused, all);
  return (
    <SubPlaces
      of="/build"
      act={
        <Button onClick={() => setPaused(paused === undefined ? all : undefined)}>
          {paused === undefined ? 'Pause' : `Resume${missed > 0 ? ` (${missed} new)` : ''}`}
        </Button>
      }
    >
      <Card title="Live events" aside={<Liveness isPaused={paused !== undefined} />}>
        {!may('admin') && (
          <p class="quiet">Your role sees the type of each event. Its content is shown to administrators.</p>
        )}
        <FilterBar
          filters={type === '' ? [] : [{ name: 'type', text: `Type: ${wordsOfEvent(type)}` }]}
          fields={[{ name: 'Type', fields: <Choice label="Type" value={type} options={types} onChange={setType} /> }]}
          onRemove={() => setType('')}
          onClear={() => setType('')}
        />
        {shown.length === 0 ? <Nothing isFiltered={type !== ''} /> : <Stream events={shown} />}
        {all.length >= MOST_HEARD && <p class="quiet">The newest {MOST_HEARD} are kept here.</p>}
      </Card>
    </SubPlaces>
  );
}

function newSince([newest]: readonly Heard[], all: readonly Heard[]): number {
  const place = all.findIndex(({ key }) => key === newest?.key);
  return place === -1 ? all.length : place;
}

function Liveness({ isPaused }: { readonly isPaused: boolean }) {
  if (isPaused) return <span class="status over">○ Paused</span>;
  return isLive.value ? <span class="status good">● Live</span> : <span class="status note">▲ Connecting…</span>;
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No event of this type so far" />;
  return (
    <Empty title="Waiting for the next event">
      {IS_SANDBOX && may('admin') ? (
        <p>
          Play a story in <a href="#/build/playground">the playground</a>, or run{' '}
          <code>countersign trigger payment.captured</code>. What happens from now on appears here, also while you look
          elsewhere.
        </p>
      ) : (
        <p>New events appear here, also while another screen is open.</p>
      )}
    </Empty>
  );
}

function Stream({ events }: { readonly events: readonly Heard[] }) {
  return (
    <ul class="rows">
      {events.map(({ key, type, time, event }) => (
        <li key={key}>
          {event === undefined ? (
            <div class="row">
              <span class="row-main">
                <span>{wordsOfEvent(type)}</span>
                <code class="quiet">{type}</code>
              </span>
              <When time={time} />
            </div>
          ) : (
            <details class="event">
              <summary>
                <span class="row-main">
                  <bdi>{eventSentence(event, nameOf)}</bdi>
                  <code class="quiet">{type}</code>
                </span>
                <When time={time} inLink />
              </summary>
              <div class="opened">
                <Json value={event} />
                <EventLink {...event.data} />
              </div>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** To what the event is about. */
function EventLink({ mandateId, approvalId }: Readonly<Record<string, unknown>>) {
  if (typeof approvalId === 'string') {
    return (
      <a class="inline-link" href={`#/approvals/${approvalId}`}>
        To the approval
      </a>
    );
  }
  if (typeof mandateId !== 'string' || !mandateId.startsWith('pm_')) return null;
  return (
    <a class="inline-link" href={`#/payments/${mandateId}`}>
      To the payment
    </a>
  );
}
