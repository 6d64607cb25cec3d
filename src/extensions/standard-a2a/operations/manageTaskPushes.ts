/** The places that a task's updates are posted to, for the callers that the task belongs to: named, shown, listed and removed. */
import { z } from 'zod';
import { PushConfig } from '../../../../protocol/a2a/task.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { anyObject } from '../../../../protocol/wire/json.ts';
import type { Caller } from '../../../access/caller.ts';
import { setTaskPushes } from '../../../store/statements/purchases/tasks.ts';
import { listTaskPushes, type WebhookRow } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { inOneCommit, inOneRead, useCase } from '../../../usecase/useCase.ts';
import { checkedPush, openPush, removePush, storePush } from '../tasks/taskPushes.ts';
import { loadTaskRow } from '../tasks/viewTask.ts';

const TaskId = z.string().min(1).max(255);
const Shown = z.object({ taskId: z.string(), id: z.string(), url: z.string() }).loose();

/** A caller who may only read is not shown what the node is known by at the place. */
function showPush(deps: Pick<Deps, 'sealer'>, caller: Caller, row: WebhookRow) {
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
  run: inOneCommit<SetPush, object>(function* (
    deps: Pick<Deps, 'newId' | 'sealer' | 'settings'>,
    caller,
    input,
    { now },
  ) {
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
  run: inOneRead<OnePush, object>(function* (deps: Pick<Deps, 'sealer'>, caller, input) {
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
  run: inOneRead<z.output<typeof OfTask>, { configs: readonly object[] }>(function* (
    deps: Pick<Deps, 'sealer'>,
    caller,
    { taskId },
  ) {
    return { configs: yield* listShown(deps, caller, taskId) };
  }),
});

export const removeTaskPush = useCase({
  summary: 'Posts a task’s updates to a place no more. Removing it again changes nothing.',
  input: OnePush,
  output: z.object({}),
  permission: 'write',
  faults: ['NOT_FOUND'],
  run: inOneCommit<OnePush, object>(function* (deps: Pick<Deps, 'sealer'>, caller, { taskId, id }) {
    const task = yield* loadTaskRow(caller, taskId);
    const rows = yield* listTaskPushes(task.id);
    const row = rows.find((each) => openPush(deps, each).id === id);
    if (row !== undefined) {
      yield* removePush(row);
      yield* setTaskPushes(task.id, rows.length - 1);
    }
    return {};
  }),
});

function* listShown(deps: Pick<Deps, 'sealer'>, caller: Caller, taskId: string) {
  const task = yield* loadTaskRow(caller, taskId);
  return (yield* listTaskPushes(task.id)).map((row) => showPush(deps, caller, row));
}
