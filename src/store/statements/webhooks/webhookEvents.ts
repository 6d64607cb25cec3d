/** Webhook events as they are posted, and forgetting them with their deliveries. */
import { all, get, run, type Script } from '../../store.ts';

interface WebhookEventRow {
  readonly id: string;
  readonly tenant_id: string;
  /** The JSON text that is signed and posted. */
  readonly body: string;
}

export function* insertWebhookEvent(event: WebhookEventRow): Script<void> {
  yield* run(
    'INSERT INTO webhook_events (id, tenant_id, body) VALUES (?, ?, ?)',
    event.id,
    event.tenant_id,
    event.body,
  );
}

export function* findWebhookEvent(tenantId: string, id: string): Script<WebhookEventRow | undefined> {
  return yield* get<WebhookEventRow>('SELECT * FROM webhook_events WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** @param ids of any tenants; of few different numbers, so that few texts have to be prepared */
export function* listBodies(ids: readonly string[]): Script<Pick<WebhookEventRow, 'id' | 'body'>[]> {
  return yield* all(`SELECT id, body FROM webhook_events WHERE id IN (${ids.map(() => '?').join(', ')})`, ...ids);
}

/** Forgets deliveries that are over and were made before an id's moment. */
export function* forgetDeliveriesBefore(id: string): Script<void> {
  yield* run("DELETE FROM webhook_deliveries WHERE id < ? AND state IN ('DELIVERED', 'FAILED')", id);
}

/** When the oldest delivery there is was made, in milliseconds since the epoch. */
export function* findOldestDelivery(): Script<number | undefined> {
  const row = yield* get<{ created_at: number }>('SELECT created_at FROM webhook_deliveries ORDER BY id LIMIT 1');
  return row?.created_at;
}

export function* forgetWebhookEventsBefore(id: string): Script<void> {
  yield* run('DELETE FROM webhook_events WHERE id < ?', id);
}
