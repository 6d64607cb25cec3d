/** What a place is sent of a task's update, written when it is sent. */
import { formerTask } from '../../../../protocol/a2a/formerDialect.ts';
import { isEnd } from '../../../../protocol/a2a/task.ts';
import { findTask } from '../../../store/statements/purchases/tasks.ts';
import type { WebhookRow } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../../store/store.ts';
import type { DeliveryKind } from '../../../usecase/deliveryKind.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { posting } from '../../../webhooks/postEvent.ts';
import type { Update } from './postUpdates.ts';
import { openTask } from './storedTask.ts';
import { openPush } from './taskPushes.ts';
import { eventsAfter, showTask } from './viewTask.ts';

/** Places that a task's updates are posted to. */
export const taskDeliveries: DeliveryKind = {
  isOf: ({ task_id: taskId }) => taskId !== null,
  render: renderUpdate,
  senderOf(deps, place) {
    const headers = updateHeaders(deps, place);
    return posting(new URL(place.url), ({ body }) => ({ headers, body }));
  },
};

/** The text of an update for one place: a status update, or the whole task at its end, which 0.3 always gets. */
function* renderUpdate(deps: Pick<Deps, 'sealer'>, place: WebhookRow, body: string): Script<string> {
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
function updateHeaders(deps: Pick<Deps, 'sealer'>, place: WebhookRow): Record<string, string> {
  const { token, authentication } = openPush(deps, place);
  const headers: Record<string, string> = { 'content-type': 'application/a2a+json' };
  if (token !== undefined) headers['x-a2a-notification-token'] = token;
  if (authentication?.credentials !== undefined) {
    headers.authorization = `${authentication.scheme} ${authentication.credentials}`;
  }
  return headers;
}
