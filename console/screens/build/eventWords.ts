/** The events that the node tells of, in words, by what they are about. */
import { webhookEvents } from '../../../client/operations.ts';
import type { WebhookEventType } from '../../../protocol/webhook/event.ts';

export const EVENT_TYPES = Object.keys(webhookEvents) as readonly WebhookEventType[];

const GROUPS = [
  ['payment', 'Payments'],
  ['intent', 'Intents'],
  ['cart', 'Carts'],
  ['approval', 'Approvals'],
  ['agent', 'Agents'],
  ['policy', 'Policies'],
] as const;

export const EVENT_GROUPS = GROUPS.map(([group, name]) => ({
  name,
  types: EVENT_TYPES.filter((type) => type.startsWith(`${group}.`)),
}));

export function wordsOfEvent(type: string): string {
  return webhookEvents[type as WebhookEventType] ?? type;
}
