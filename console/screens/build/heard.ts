/** What has happened at the node since its events were first looked at here, the newest first. It is in memory only. */
import { signal } from '@preact/signals';
import type { WebhookEvent } from '../../../client/operations.ts';
import { login } from '../../login/login.ts';
import { onChange } from '../../node/live.ts';

/** What was recorded: an event with its content, or its type alone for who is told no more. */
export interface Heard {
  readonly key: string;
  readonly type: string;
  readonly time: string;
  readonly event?: WebhookEvent;
}

/** Beyond these the oldest are let go. */
export const MOST_HEARD = 500;

export const heard = signal<readonly Heard[]>([]);

let count = 0;
let isListening = false;

/** From now on, also while other screens are shown, and until another user signs in. */
export function listen(): void {
  if (isListening) return;
  isListening = true;
  onChange((types, events) => {
    const time = new Date().toISOString();
    const news = events.length > 0 ? events.map(ofEvent) : types.map((type) => ofType(type, time));
    heard.value = [...news.reverse(), ...heard.value].slice(0, MOST_HEARD);
  });
  login.subscribe(({ at }) => {
    if (at === 'out') heard.value = [];
  });
}

function ofEvent(event: WebhookEvent): Heard {
  return { key: event.id, type: event.type, time: event.created, event };
}

function ofType(type: string, time: string): Heard {
  count += 1;
  return { key: String(count), type, time };
}
