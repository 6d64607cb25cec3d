/** Webhook events as they are posted, and forgetting them with their deliveries. */
import { all, get, run, type Script } from '../../store.ts';
import { findById } from '../queries.ts';
import { insertInto, type RowOf, table, text } from '../tableDefinition.ts';

export const webhookEvents = table('webhook_events', ['id'], {
  id: text,
  tenant_id: text,
  /** The JSON text that is signed and posted. */
  body: text,
});

export const insertWebhookEvent = insertInto(webhookEvents);

export const findWebhookEvent = findById(webhookEvents);

/** @param ids of any tenants; of few different numbers, so that few texts have to be prepared */
export function listBodies(ids: readonly string[]): Script<Pick<RowOf<typeof webhookEvents>, 'id' | 'body'>[]> {
  return all(`SELECT id, body FROM webhook_events WHERE id IN (${ids.map(() => '?').join(', ')})`, ...ids);
}

/** Forgets deliveries that are over and were made before an id's moment. */
export function forgetDeliveriesBefore(id: string): Script<number> {
  return run("DELETE FROM webhook_deliveries WHERE id < ? AND state IN ('DELIVERED', 'FAILED')", id);
}

/** When the oldest delivery there is was made, in milliseconds since the epoch. */
export function* findOldestDelivery(): Script<number | undefined> {
  const row = yield* get<{ created_at: number }>('SELECT created_at FROM webhook_deliveries ORDER BY id LIMIT 1');
  return row?.created_at;
}

export function forgetWebhookEventsBefore(id: string): Script<number> {
  return run('DELETE FROM webhook_events WHERE id < ?', id);
}
