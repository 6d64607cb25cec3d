/** Webhook subscriptions and their delivery log, as the API shows them. */
import { z } from 'zod';
import { IdempotencyKey } from '../intent.ts';
import { WEBHOOK_EVENTS, WebhookEvent, WebhookEventType } from './event.ts';

const Url = z.string().min(1).max(2048).describe('Where events are posted to; https, and public in production.');
const Events = z.array(WebhookEventType).min(1).max(WEBHOOK_EVENTS.length).describe('Which events are posted there.');

/** What follows `whsec_` is a key in padded base64 (Standard Webhooks 1.0): anything else would sign here and fail at its receiver. */
const STANDARD_SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const LEAST_KEY_BYTES = 24;
const MOST_KEY_BYTES = 64;

const Secret = z
  .string()
  .min(8)
  .max(255)
  .refine(
    isSecret,
    `must be, after whsec_, padded base64 of ${LEAST_KEY_BYTES} to ${MOST_KEY_BYTES} bytes; leave the prefix out to sign by the bytes of any text`,
  )
  .describe('Signs every delivery; one is made when none is given. Shown in this answer only.');

function isSecret(secret: string): boolean {
  if (!secret.startsWith('whsec_')) return true;
  const padding = secret.endsWith('==') ? 2 : secret.endsWith('=') ? 1 : 0;
  const bytes = ((secret.length - 'whsec_'.length) / 4) * 3 - padding;
  return STANDARD_SECRET.test(secret) && bytes >= LEAST_KEY_BYTES && bytes <= MOST_KEY_BYTES;
}

export const CreateWebhook = z.strictObject({
  url: Url,
  events: Events,
  secret: Secret.optional(),
  idempotencyKey: IdempotencyKey.optional(),
});
export type CreateWebhook = z.infer<typeof CreateWebhook>;

const WebhookStatus = z.enum(['ACTIVE', 'DISABLED']);

export const UpdateWebhook = z.strictObject({
  id: z.string(),
  url: Url.optional(),
  events: Events.optional(),
  status: WebhookStatus.optional(),
});
export type UpdateWebhook = z.infer<typeof UpdateWebhook>;

export const RotateWebhookSecret = z.strictObject({
  id: z.string(),
  secret: Secret.optional(),
  idempotencyKey: IdempotencyKey.optional(),
});
export type RotateWebhookSecret = z.infer<typeof RotateWebhookSecret>;

/** An endpoint that nothing has reached for so long needs a person’s attention. Only its owner disables it. */
const FAILING_MS = 5 * 24 * 3600 * 1000;

/** The last moment at which an endpoint that needs attention now began to fail. */
export function failingBefore(now: number): number {
  return now - FAILING_MS;
}

export const Webhook = z.object({
  id: z.string(),
  url: Url,
  events: Events,
  status: WebhookStatus,
  createdAt: z.string(),
  disabledReason: z
    .enum(['paused', 'gone', 'failing'])
    .optional()
    .describe(
      'paused: by its owner. gone, failing: by a node of an earlier version, which disabled such endpoints itself.',
    ),
  failingSince: z.string().optional().describe('Since when every attempt has failed.'),
  attention: z
    .literal('failing')
    .optional()
    .describe('Nothing has arrived for five days: a person should look. The node goes on trying.'),
  previousSecretUntil: z.string().optional().describe('Until then the former secret signs as well.'),
});
export type Webhook = z.infer<typeof Webhook>;

const Waiting = z.int().nonnegative();

/** One subscription, with what has not arrived yet. */
export const WebhookRecord = Webhook.extend({
  waiting: z.object({
    pending: Waiting.describe(
      'Deliveries that are under way or will be tried, for the first time or again; 1000 for that many or more.',
    ),
    held: Waiting.describe('Deliveries that wait for the subscription to be resumed; 1000 for that many or more.'),
  }),
});
export type WebhookRecord = z.infer<typeof WebhookRecord>;

export const NewWebhook = Webhook.extend({ secret: Secret });
export type NewWebhook = z.infer<typeof NewWebhook>;

/** One attempt at one delivery. */
export const WebhookLog = z.object({
  id: z.string(),
  eventType: z.string(),
  url: Url,
  status: z.int().describe('The HTTP status, or a mail server’s reply code; 0 where there was no answer.'),
  duration: z.int().describe('Milliseconds from the first step to the end of the answer.'),
  deliveredAt: z.string().describe('When the attempt ended.'),
  webhookId: z.string(),
  eventId: z.string().describe('The id of the event, the same at each attempt.'),
  attempt: z.int().describe('Which attempt this was, from 1 on.'),
  outcome: z.enum(['delivered', 'retrying', 'failed']).describe('How the delivery stood after this attempt.'),
  error: z
    .enum([
      'blocked',
      'dns',
      'refused',
      'unreachable',
      'reset',
      'truncated',
      'timeout',
      'tls',
      'protocol',
      'network',
      'redirect',
      'status',
      'secret',
      'settings',
    ])
    .optional()
    .describe(
      'What kind of failure it was. secret: this node cannot read the secret, and posted nothing. settings: the node has no mail server.',
    ),
  answer: z.string().optional().describe('The first 1 KiB of what was answered.'),
});
export type WebhookLog = z.infer<typeof WebhookLog>;

/** One attempt with what was posted. */
export const WebhookLogRecord = WebhookLog.extend({
  request: z
    .string()
    .optional()
    .describe(
      'The body that was posted, the very text that was signed. Absent once the event or the subscription is kept no longer.',
    ),
});
export type WebhookLogRecord = z.infer<typeof WebhookLogRecord>;

export const WebhookLogPage = z.object({
  logs: z.array(WebhookLog).describe('Attempts, newest first.'),
  hasMore: z.boolean(),
  cursor: z.string().nullable().describe('Leads to the next page; null on the last.'),
});
export type WebhookLogPage = z.infer<typeof WebhookLogPage>;

/** How long a live tail may wait for an event. */
export const MAX_TAIL_SECONDS = 20;

export const TailEvents = z.object({
  cursor: z.string().min(1).max(500).optional(),
  wait: z.coerce
    .number<number>()
    .int()
    .min(0)
    .max(MAX_TAIL_SECONDS)
    .default(0)
    .describe('How many seconds to wait for an event when there is none yet.'),
});
export type TailEvents = z.infer<typeof TailEvents>;

export const StreamEvents = z.object({
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Where to go on; the header Last-Event-ID serves as well. From now on where neither is given.'),
});
export type StreamEvents = z.infer<typeof StreamEvents>;

export const EventTail = z.object({
  events: z.array(WebhookEvent).describe('Events since the cursor, oldest first; without a cursor none.'),
  cursor: z.string().describe('Leads to what comes after.'),
});
export type EventTail = z.infer<typeof EventTail>;

export const ListenSecret = z.object({
  secret: z.string().describe('`whsec_` and base64 of the 32 bytes of the key.'),
});
export type ListenSecret = z.infer<typeof ListenSecret>;
