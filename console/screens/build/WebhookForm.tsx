/** What an endpoint is: its address, and the events that are posted there. */
import { useState } from 'preact/hooks';
import type { WebhookEventType } from '../../../protocol/webhook/event.ts';
import { Button } from '../../parts/Button.tsx';
import { Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { EVENT_GROUPS, EVENT_TYPES, wordsOfEvent } from './eventWords.ts';

export interface WebhookInput {
  readonly url: string;
  readonly events: readonly WebhookEventType[];
}

interface WebhookFormProps {
  readonly first: WebhookInput;
  readonly act: string;
  onSubmit(input: WebhookInput): Promise<unknown>;
  onLeave(): void;
}

export function WebhookForm({ first, act, onSubmit, onLeave }: WebhookFormProps) {
  const [url, setUrl] = useState(first.url);
  const [events, setEvents] = useState<ReadonlySet<WebhookEventType>>(new Set(first.events));
  const toggle = (type: WebhookEventType) => {
    const next = new Set(events);
    if (!next.delete(type)) next.add(type);
    setEvents(next);
  };
  const submit = () => onSubmit({ url: url.trim(), events: EVENT_TYPES.filter((type) => events.has(type)) });
  return (
    <Form act={act} disabled={url.trim() === '' || events.size === 0} onSubmit={submit} onLeave={onLeave}>
      <Field
        label="Address"
        name="url"
        value={url}
        onInput={setUrl}
        hint="Where events are posted to. In production it is https, with a public address."
        input={{
          required: true,
          type: 'url',
          maxLength: 2048,
          placeholder: 'https://backend.example.com/countersign',
          autoComplete: 'off',
        }}
      />
      <div class="buttons">
        <Button onClick={() => setEvents(new Set(EVENT_TYPES))}>All events</Button>
        <Button onClick={() => setEvents(new Set())}>None</Button>
      </div>
      {EVENT_GROUPS.map(({ name, types }) => (
        <fieldset key={name} class="ticks">
          <legend>{name}</legend>
          {types.map((type) => (
            <label key={type} class="tick">
              <input type="checkbox" checked={events.has(type)} onChange={() => toggle(type)} />
              <span>
                {wordsOfEvent(type)} <code>{type}</code>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </Form>
  );
}
