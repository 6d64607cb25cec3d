/** Posts a task's updates: a delivery for each place and new status, written in the task's commit and rendered when it is sent. */
import { formerTask } from '../../../protocol/a2a/formerDialect.ts';
import { isEnd } from '../../../protocol/a2a/task.ts';
import { findTask } from '../../store/statements/purchases/tasks.ts';
import { insertDelivery } from '../../store/statements/webhooks/deliveries.ts';
import { listTaskPushes, type WebhookRow } from '../../store/statements/webhooks/subscriptions.ts';
import { insertWebhookEvent } from '../../store/statements/webhooks/webhookEvents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { type KeptTask, openTask } from './keptTask.ts';
import { openPush } from './taskPushes.ts';
import { eventsAfter, showTask } from './viewTask.ts';

/** The type of these deliveries in the log. */
const TASK_UPDATE = 'task.updated';

/** Which update a delivery is of. Its text is made when it is posted, since a task may hand over tokens. */
interface Update {
  readonly taskId: string;
  /** After how many events. */
  readonly seq: number;
}

/** @param since how many events the task had before */
export function* postUpdates(deps: Deps, { row, content }: KeptTask, since: number): Script<void> {
  const places = yield* listTaskPushes(row.id);
  for (let seq = since + 1; seq <= content.events.length; seq += 1) {
    if (!('status' in (content.events[seq - 1] ?? {}))) continue;
    const eventId = deps.newId('evt_');
    const update: Update = { taskId: row.id, seq };
    yield* insertWebhookEvent({ id: eventId, tenant_id: row.tenant_id, body: JSON.stringify(update) });
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
      deps.deliveries.wake(id);
    }
  }
}

/** The text of an update for one place: a status update, or the whole task at its end, which 0.3 always gets. */
export function* renderUpdate(deps: Deps, place: WebhookRow, body: string): Script<string> {
  const { taskId, seq } = JSON.parse(body) as Update;
  const row = yield* findTask(place.tenant_id, taskId);
  if (row === undefined) return '{}';
  const task = openTask(deps, row);
  const shown = showTask(task, { seq });
  if (openPush(deps, place).former) return JSON.stringify(formerTask(shown));
  if (isEnd(shown.status.state)) return JSON.stringify({ task: shown });
  return JSON.stringify(eventsAfter(task, seq - 1)[0]);
}

/** The headers of an update: what its receiver asked for, by which it knows the node. */
export function updateHeaders(deps: Deps, place: WebhookRow): Record<string, string> {
  const { token, authentication } = openPush(deps, place);
  const headers: Record<string, string> = { 'content-type': 'application/a2a+json' };
  if (token !== undefined) headers['x-a2a-notification-token'] = token;
  if (authentication?.credentials !== undefined) {
    headers.authorization = `${authentication.scheme} ${authentication.credentials}`;
  }
  return headers;
}
