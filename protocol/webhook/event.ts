/** Webhook events: the types that one can subscribe to, and the data of each. */
import { z } from 'zod';
import { EVENTS } from './eventList.ts';
import { WebhookContext } from './webhookEvent.ts';

type Entry = (typeof EVENTS)[number];

export const WEBHOOK_EVENTS: readonly Entry['type'][] = EVENTS.map(({ type }) => type);
export const WebhookEventType = z.enum(WEBHOOK_EVENTS);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** The schema of `data` by event type. */
export const WEBHOOK_DATA = Object.fromEntries(EVENTS.map(({ type, data }) => [type, data])) as {
  readonly [Each in Entry as Each['type']]: Each['data'];
};

export type WebhookData = { [Type in WebhookEventType]: z.output<(typeof WEBHOOK_DATA)[Type]> };

/** What is posted. An event keeps its id, however often it is delivered. */
export const WebhookEvent = z.object({
  id: z.string().regex(/^evt_[0-9a-hjkmnp-tv-z]{26}$/),
  type: WebhookEventType,
  created: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
  context: WebhookContext,
  test: z.literal(true).optional().describe('Only on samples: nothing has happened.'),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;
