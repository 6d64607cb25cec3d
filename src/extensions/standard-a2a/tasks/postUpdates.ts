/**
 * Posts a task's updates: a delivery for each place and new status, stored in the task's commit. Its text is written when it
 * is sent (renderUpdate.ts).
 */

import { storeEvent } from '../../../domain/outbox/storeEvent.ts';
import { insertDelivery } from '../../../store/statements/webhooks/deliveries.ts';
import { listTaskPushes } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { StoredTask } from './storedTask.ts';

/** The type of these deliveries in the log. */
const TASK_UPDATE = 'task.updated';

/** Which update a delivery is of. Its text is made when it is posted, since a task may hand over tokens. */
export interface Update {
  readonly taskId: string;
  /** After how many events. */
  readonly seq: number;
}

/** @param since how many events the task had before */
export function* postUpdates(
  deps: Pick<Deps, 'newId' | 'settings' | 'tracing' | 'wake'>,
  { row, content }: StoredTask,
  since: number,
): Script<void> {
  const places = yield* listTaskPushes(row.id);
  for (let seq = since + 1; seq <= content.events.length; seq += 1) {
    if (!('status' in (content.events[seq - 1] ?? {}))) continue;
    const eventId = deps.newId('evt_');
    const update: Update = { taskId: row.id, seq };
    yield* storeEvent(deps, { id: eventId, tenantId: row.tenant_id, body: JSON.stringify(update) });
    for (const { id } of places) {
      yield* insertDelivery({
        id: deps.newId('whd_'),
        tenant_id: row.tenant_id,
        webhook_id: id,
        event_id: eventId,
        event_type: TASK_UPDATE,
        state: 'PENDING',
        attempts: 0,
        max_attempts: deps.settings.webhookRetrySeconds.length,
        next_at: row.status_at,
        leased_by: null,
        created_at: row.status_at,
      });
      deps.wake.deliveries.wake(id);
    }
  }
}
