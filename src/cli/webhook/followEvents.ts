/** The events of a node as they happen, read by long polls that outlast a restart of the node. */
import type { Client } from '../../../client/rest.ts';
import type { WebhookEvent, WebhookEventType } from '../../../protocol/webhook/event.ts';
import { MAX_TAIL_SECONDS } from '../../../protocol/webhook/subscription.ts';

const PAUSE_MS = 2000;

/**
 * @param cursor of the answer to the first tailEvents, which must succeed: a node that goes away later may come back
 * @param types only these; all when not given
 */
export async function* followEvents(
  client: Client,
  cursor: string,
  types?: readonly WebhookEventType[],
): AsyncGenerator<WebhookEvent> {
  let next = cursor;
  for (;;) {
    const tail = await client.tailEvents({ cursor: next, wait: MAX_TAIL_SECONDS }).catch(async (error: unknown) => {
      if (!mayPass(error)) throw error;
      console.error('No node answers for now; trying again.');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return { cursor: next, events: [] };
    });
    next = tail.cursor;
    const events = tail.events as WebhookEvent[];
    yield* types === undefined ? events : events.filter(({ type }) => types.includes(type));
  }
}

function mayPass(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'NETWORK' || code === 'UNAVAILABLE' || code === 'INVALID_ANSWER';
}
