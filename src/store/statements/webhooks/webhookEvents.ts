/** Webhook events as they are posted, and the deletion of old ones with their deliveries. */
import { all, get, type Script } from '../../store.ts';
import { deleteOldest, findById, inBatches } from '../queries.ts';
import { insertInto, nullable, placeholders, type RowOf, table, text } from '../tableDefinition.ts';
import { webhookDeliveries } from './deliveries.ts';

export const webhookEvents = table('webhook_events', ['id'], {
  id: text,
  tenant_id: text,
  /** The JSON text that is signed and posted. */
  body: text,
  /** The trace in which it was caused, as the headers that name it in JSON. */
  trace: nullable(text),
});

type EventBody = Pick<RowOf<typeof webhookEvents>, 'id' | 'body' | 'trace'>;

export const insertWebhookEvent = insertInto(webhookEvents);

export const findWebhookEvent = findById(webhookEvents);

/** @param ids of any tenants */
export function* listBodies(ids: readonly string[]): Script<EventBody[]> {
  const bodies: EventBody[] = [];
  for (const batch of inBatches(ids)) {
    const sql = `SELECT id, body, trace FROM webhook_events WHERE id IN ${placeholders(batch)}`;
    bodies.push(...(yield* all<EventBody>(sql, ...batch)));
  }
  return bodies;
}

/** Deletes deliveries that are done. @param args the smallest id that stays */
export const deleteDeliveriesBefore = deleteOldest(
  webhookDeliveries,
  "id < ? AND state IN ('DELIVERED', 'FAILED')",
  'id',
);

/** Deletes deliveries that wait for their subscription to be active again. @param args the smallest id that stays */
export const deleteHeldDeliveriesBefore = deleteOldest(webhookDeliveries, "state = 'HELD' AND id < ?", 'id');

/** When the oldest delivery was created, in milliseconds since the epoch; undefined when there is none. */
export function* findOldestDelivery(): Script<number | undefined> {
  const row = yield* get<{ created_at: number }>('SELECT created_at FROM webhook_deliveries ORDER BY id LIMIT 1');
  return row?.created_at;
}

/** @param args the smallest id that stays */
export const deleteWebhookEventsBefore = deleteOldest(webhookEvents, 'id < ?', 'id');
