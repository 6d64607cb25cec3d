/** Where a task's updates are posted: each place is a subscription of its own, delivered to as webhooks are. */
import type { PushConfig } from '../../../../protocol/a2a/task.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { checkedUrl, secretContext } from '../../../domain/webhooks/changeWebhook.ts';
import type { TaskRow } from '../../../store/statements/purchases/tasks.ts';
import { dropDeliveries } from '../../../store/statements/webhooks/deliveries.ts';
import {
  deleteTaskPush,
  insertWebhook,
  listTaskPushes,
  type WebhookRow,
} from '../../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';

/** Each update is stored once for each of them. */
const MOST_OF_A_TASK = 10;

/** A configuration whose address was looked at. */
export interface CheckedPush {
  readonly url: string;
  readonly kept: PushSecrets;
}

/** What is sealed of a configuration. */
interface PushSecrets {
  readonly id: string;
  readonly token?: string | undefined;
  readonly authentication?: PushConfig['authentication'];
  /** Whether it is written to as A2A 0.3 writes. */
  readonly former: boolean;
}

/** @throws Fault BAD_REQUEST for an address that nothing is posted to */
export function checkedPush(
  deps: Pick<Deps, 'newId' | 'settings'>,
  config: PushConfig & { readonly former: boolean },
): CheckedPush {
  const { id = deps.newId('push_'), url, token, authentication, former } = config;
  return { url: checkedUrl(deps, url), kept: { id, token, authentication, former } };
}

/** Stores a configuration of a task. One with the same id takes its place. @throws Fault BAD_REQUEST for one too many */
export function* storePush(
  deps: Pick<Deps, 'newId' | 'sealer'>,
  task: Pick<TaskRow, 'id' | 'tenant_id'>,
  push: CheckedPush,
  now: number,
): Script<number> {
  const rows = yield* listTaskPushes(task.id);
  const former = rows.find((row) => openPush(deps, row).id === push.kept.id);
  if (former !== undefined) yield* removePush(former);
  const left = rows.length - (former === undefined ? 0 : 1);
  if (left >= MOST_OF_A_TASK) {
    throw new Fault('BAD_REQUEST', `A task is posted to ${MOST_OF_A_TASK} places at most; delete one first.`);
  }
  const id = deps.newId('push_');
  const row: WebhookRow = {
    id,
    tenant_id: task.tenant_id,
    url: push.url,
    events: '',
    status: 'ACTIVE',
    disabled_reason: null,
    secret: deps.sealer.seal(JSON.stringify(push.kept), secretContext(id)),
    previous_secret: null,
    previous_until: null,
    older_secret: null,
    older_until: null,
    failing_since: null,
    created_at: now,
    resuming: 0,
    task_id: task.id,
    user_id: null,
    least: null,
    digest: null,
    digest_at: null,
  };
  yield* insertWebhook(row);
  return left + 1;
}

export function openPush(deps: Pick<Deps, 'sealer'>, row: Pick<WebhookRow, 'id' | 'secret'>): PushSecrets {
  return JSON.parse(deps.sealer.open(row.secret, secretContext(row.id))) as PushSecrets;
}

export function* removePush(row: WebhookRow): Script<void> {
  yield* dropDeliveries(row.id);
  yield* deleteTaskPush(row.id);
}
