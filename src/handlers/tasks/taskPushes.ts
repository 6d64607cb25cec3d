/** Where a task's updates are posted: each place is a subscription of its own, delivered to as webhooks are. */
import { z } from 'zod';
import { PushConfig } from '../../../protocol/a2a/task.ts';
import { anyObject } from '../../../protocol/wire/anyObject.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { setTaskPushes, type TaskRow } from '../../store/statements/purchases/tasks.ts';
import { dropDeliveries } from '../../store/statements/webhooks/deliveries.ts';
import {
  deleteTaskPush,
  insertWebhook,
  listTaskPushes,
  type WebhookRow,
} from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { inOneCommit, inOneRead, useCase } from '../core/useCase.ts';
import { checkedUrl } from '../webhooks/changeWebhook.ts';
import { secretContext } from '../webhooks/manageWebhooks.ts';
import { loadTaskRow } from './viewTask.ts';

/** Each update is stored once for each of them. */
const MOST_OF_A_TASK = 10;

/** A configuration whose address was looked at. */
export interface CheckedPush {
  readonly url: string;
  readonly kept: KeptPush;
}

/** What is sealed of a configuration. */
interface KeptPush {
  readonly id: string;
  readonly token?: string | undefined;
  readonly authentication?: PushConfig['authentication'];
  /** Whether it is written to as A2A 0.3 writes. */
  readonly former: boolean;
}

/** @throws Fault BAD_REQUEST for an address that nothing is posted to */
export function checkedPush(deps: Deps, config: PushConfig & { readonly former: boolean }): CheckedPush {
  const { id = deps.newId('push_'), url, token, authentication, former } = config;
  return { url: checkedUrl(deps, url), kept: { id, token, authentication, former } };
}

/** Stores a configuration of a task. One with the same id takes its place. @throws Fault BAD_REQUEST for one too many */
export function* storePush(
  deps: Deps,
  task: Pick<TaskRow, 'id' | 'tenant_id'>,
  push: CheckedPush,
  now: number,
): Script<number> {
  const rows = yield* listTaskPushes(task.id);
  const former = rows.find((row) => openPush(deps, row).id === push.kept.id);
  if (former !== undefined) yield* removeRow(former);
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
    failing_since: null,
    created_at: now,
    resuming: 0,
    task_id: task.id,
    user_id: null,
    least: null,
  };
  yield* insertWebhook(row);
  return left + 1;
}

export function openPush(deps: Deps, row: Pick<WebhookRow, 'id' | 'secret'>): KeptPush {
  return JSON.parse(deps.sealer.open(row.secret, secretContext(row.id))) as KeptPush;
}

function* removeRow(row: WebhookRow): Script<void> {
  yield* dropDeliveries(row.id);
  yield* deleteTaskPush(row.id);
}

const TaskId = z.string().min(1).max(255);
const Shown = z.object({ taskId: z.string(), id: z.string(), url: z.string() }).loose();

/** Whoever may only read is not shown what the node is known by at the place. */
function showPush(deps: Deps, caller: Caller, row: WebhookRow) {
  const { id, token, authentication } = openPush(deps, row);
  const shown = { taskId: String(row.task_id), id, url: row.url };
  return caller.permissions.has('write') ? compact({ ...shown, token, authentication }) : shown;
}

const SetPush = z.intersection(z.object({ taskId: TaskId, former: z.boolean() }), PushConfig);
type SetPush = z.output<typeof SetPush>;

export const setTaskPush = useCase({
  summary: 'Names a place that a task’s updates are posted to.',
  input: SetPush,
  output: Shown,
  permission: 'write',
  faults: ['NOT_FOUND'],
  run: inOneCommit<SetPush, object>(function* (deps, caller, input, { now }) {
    const task = yield* loadTaskRow(caller, input.taskId);
    const push = checkedPush(deps, input);
    yield* setTaskPushes(task.id, yield* storePush(deps, task, push, now));
    const rows = yield* listTaskPushes(task.id);
    return rows.map((row) => showPush(deps, caller, row)).find(({ id }) => id === push.kept.id) as object;
  }),
});

const OnePush = z.object({ taskId: TaskId, id: z.string().max(255).nullish() });
type OnePush = z.output<typeof OnePush>;

export const getTaskPush = useCase({
  summary: 'Shows a place that a task’s updates are posted to; the first where none is named.',
  input: OnePush,
  output: Shown,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<OnePush, object>(function* (deps, caller, input) {
    const shown = yield* listShown(deps, caller, input.taskId);
    const found = input.id ? shown.find(({ id }) => id === input.id) : shown[0];
    if (found === undefined) throw new Fault('TASK_NOT_FOUND', `The task has no such push configuration.`);
    return found;
  }),
});

const OfTask = z.object({ taskId: TaskId });

export const listTaskPushConfigs = useCase({
  summary: 'Lists the places that a task’s updates are posted to.',
  input: OfTask,
  output: z.object({ configs: z.array(anyObject()) }),
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof OfTask>, { configs: readonly object[] }>(function* (deps, caller, { taskId }) {
    return { configs: yield* listShown(deps, caller, taskId) };
  }),
});

export const removeTaskPush = useCase({
  summary: 'Posts a task’s updates to a place no more. Removing it again changes nothing.',
  input: OnePush,
  output: z.object({}),
  permission: 'write',
  faults: ['NOT_FOUND'],
  run: inOneCommit<OnePush, object>(function* (deps, caller, { taskId, id }) {
    const task = yield* loadTaskRow(caller, taskId);
    const rows = yield* listTaskPushes(task.id);
    const row = rows.find((each) => openPush(deps, each).id === id);
    if (row !== undefined) {
      yield* removeRow(row);
      yield* setTaskPushes(task.id, rows.length - 1);
    }
    return {};
  }),
});

function* listShown(deps: Deps, caller: Caller, taskId: string) {
  const task = yield* loadTaskRow(caller, taskId);
  return (yield* listTaskPushes(task.id)).map((row) => showPush(deps, caller, row));
}
