/** One example event of each type, for documentation and test deliveries. */
import type { WebhookData, WebhookEvent, WebhookEventType } from './event.ts';
import { EVENTS } from './eventList.ts';
import { AGENT, INTENT, PRINCIPAL } from './eventParts.ts';
import type { WebhookContext } from './webhookEvent.ts';

export const WEBHOOK_EXAMPLES = Object.fromEntries(EVENTS.map(({ type, example }) => [type, example])) as WebhookData;

const PURCHASE: WebhookContext = { agentDid: AGENT, principalDid: PRINCIPAL, intentId: INTENT };

/** The example event of a type as it is posted. */
export function exampleEvent(type: WebhookEventType, id: string, created: string): WebhookEvent {
  const context = EVENTS.find((each) => each.type === type)?.context ?? PURCHASE;
  return { id, type, created, data: { ...WEBHOOK_EXAMPLES[type] }, context };
}
