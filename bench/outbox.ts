/** Events for measuring deliveries, and a node's outbox filled with them. */
import { randomBytes } from 'node:crypto';
import { exampleEvent } from '../protocol/webhook/exampleEvents.ts';
import { makeId, RANDOM_BYTES } from '../protocol/wire/id.ts';
import { openStore } from '../src/store/openStore.ts';
import { insertDelivery } from '../src/store/statements/webhooks/deliveries.ts';
import { insertWebhookEvent } from '../src/store/statements/webhooks/webhookEvents.ts';

const newId = (prefix: string) => makeId(prefix, Date.now(), randomBytes(RANDOM_BYTES));

const TYPE = 'payment.authorized';

/** The bodies of so many events. */
export function bodies(count: number): string[] {
  const created = new Date().toISOString();
  return Array.from({ length: count }, () => JSON.stringify(exampleEvent(TYPE, newId('evt_'), created)));
}

export interface Queue {
  /** The SQLite file, which a node may be serving. */
  readonly file: string;
  readonly tenantId: string;
  readonly webhookId: string;
}

/** Puts so many deliveries into a queue, all of them due at one moment, milliseconds since the epoch. */
export async function fillOutbox(queue: Queue, count: number, dueAt: number): Promise<void> {
  const store = await openStore({ file: queue.file, clock: Date.now });
  const texts = bodies(count);
  await store.write(queue.tenantId, function* () {
    for (const body of texts) {
      const { id } = JSON.parse(body);
      yield* insertWebhookEvent({ id, tenant_id: queue.tenantId, body, trace: null });
      yield* insertDelivery({
        id: newId('whd_'),
        tenant_id: queue.tenantId,
        webhook_id: queue.webhookId,
        event_id: id,
        event_type: TYPE,
        state: 'PENDING',
        attempts: 0,
        max_attempts: 6,
        next_at: dueAt,
        leased_by: null,
        created_at: Date.now(),
      });
    }
  });
  await store.close();
}
