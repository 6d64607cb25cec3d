/** Webhook events as they are posted, and the deletion of old ones. */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, get, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest, findById, inBatches } from '../queries.ts';
import { DAY_MS, insertInto, nullable, placeholders, type RowOf, table, text } from '../tableDefinition.ts';

export const webhookEvents = table(
  'webhook_events',
  ['id'],
  {
    id: text,
    tenant_id: text,
    /** The JSON text that is signed and posted. */
    body: text,
    /** The trace in which it was caused, as the headers that name it in JSON. */
    trace: nullable(text),
  },
  {
    retention: { goes: 'after 30 days, and after its deliveries', purges: [purgeEvents] },
    isTestData: false,
  },
);

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

/** When the oldest delivery was created, in milliseconds since the epoch; undefined when there is none. */
function* findOldestDelivery(): Script<number | undefined> {
  const row = yield* get<{ created_at: number }>('SELECT created_at FROM webhook_deliveries ORDER BY id LIMIT 1');
  return row?.created_at;
}

/** @param args the smallest id that stays */
const deleteWebhookEventsBefore: DeleteOldest = deleteOldest(webhookEvents, 'id < ?', 'id');

/** An event is older than its deliveries, by a moment; those that are still to be delivered keep theirs. */
function* purgeEvents(limit: number, now: number): Script<number> {
  const before = now - 30 * DAY_MS;
  const oldest = Math.min(before, (yield* findOldestDelivery()) ?? before);
  return yield* deleteWebhookEventsBefore(limit, firstIdAt('evt_', oldest - 60_000));
}
