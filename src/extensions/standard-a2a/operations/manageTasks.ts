/** Tasks for the callers that they belong to: shown, listed and withdrawn. */

import { z } from 'zod';
import { listedWhole } from '../../../../protocol/a2a/approvalParts.ts';
import { type Task, TaskState } from '../../../../protocol/a2a/task.ts';
import { anyObject } from '../../../../protocol/wire/json.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import type { Caller } from '../../../access/caller.ts';
import {
  countTasks,
  type ListedTask,
  listTaskRows,
  listWholeTasks,
  type TaskCursor,
  type TaskFilter,
  type TaskRow,
} from '../../../store/statements/purchases/tasks.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { HookDeps } from '../../../usecase/hooks.ts';
import { positionOf, toPage } from '../../../usecase/list/paging.ts';
import { inOneCommit, inOneRead, perform, useCase } from '../../../usecase/useCase.ts';
import { openFor } from '../tasks/storedTask.ts';
import { loadTask, showTask, type TaskView, viewOf } from '../tasks/viewTask.ts';
import { withdrawTask } from '../tasks/withdrawTask.ts';

/** A number, or null where a library writes absent members out. */
const HistoryLength = z.int().min(0).max(1000).nullish();

const GetTask = z.object({ id: z.string().min(1).max(255), historyLength: HistoryLength });

type GetTask = z.output<typeof GetTask>;

const Shown = z.object({ task: anyObject(), seq: z.int(), isOver: z.boolean(), isSettled: z.boolean() });

export const getTask = useCase({
  summary: 'Shows a task of standard A2A as it stands.',
  input: GetTask,
  output: Shown,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<GetTask, TaskView>(function* (deps: Pick<Deps, 'sealer'>, caller, { id, historyLength }) {
    return viewOf(yield* loadTask(deps, caller, id), { historyLength: historyLength ?? undefined });
  }),
});

const ListTasks = z.object({
  contextId: z.string().max(255).nullish(),
  status: z.union([TaskState, z.literal('TASK_STATE_UNSPECIFIED'), z.literal('')]).nullish(),
  pageSize: z.int().min(1).max(100).nullish(),
  pageToken: z.string().max(1000).nullish(),
  historyLength: HistoryLength,
  statusTimestampAfter: z.union([z.iso.datetime({ offset: true }), z.literal('')]).nullish(),
  includeArtifacts: z.boolean().nullish(),
});

type ListTasks = z.output<typeof ListTasks>;

/** As A2A 1.0 gives it (section 3.1.4). */
interface TaskList {
  readonly tasks: readonly Task[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

const DEFAULT_PAGE = 50;

/** Tasks on a page that has all they hold: each may have messages of a quarter of a mebibyte. */
const MOST_WHOLE = 10;

const Place = z.tuple([z.int(), z.string()]);

export const listTasks = useCase({
  summary: 'Lists tasks of standard A2A, newest status first.',
  input: ListTasks,
  output: z.object({
    tasks: z.array(anyObject()),
    nextPageToken: z.string(),
    pageSize: z.int(),
    totalSize: z.int(),
  }),
  permission: 'read',
  showsOwn: true,
  // The total is counted, however many there are.
  run: inOneRead<ListTasks, TaskList>(function* (deps: Pick<Deps, 'sealer'>, caller, input) {
    const filter: TaskFilter = {
      agents: caller.agents === undefined ? undefined : [...caller.agents],
      contextId: input.contextId || undefined,
      state: !input.status || input.status === 'TASK_STATE_UNSPECIFIED' ? undefined : input.status,
      changedFrom: input.statusTimestampAfter ? Date.parse(input.statusTimestampAfter) : undefined,
    };
    const before = positionOf(Place, input.pageToken || undefined) as TaskCursor | undefined;
    const limit = limitOf(input);
    const page = isWhole(input)
      ? toPage(
          yield* listWholeTasks(caller.tenantId, filter, before, limit + 1),
          limit,
          (row) => wholeTask(deps, caller, row, input),
          placeOf,
        )
      : toPage(yield* listTaskRows(caller.tenantId, filter, before, limit + 1), limit, listedTask, placeOf);
    const totalSize = yield* countTasks(caller.tenantId, filter);
    return { tasks: page.data, nextPageToken: page.cursor ?? '', pageSize: limit, totalSize };
  }, 'readApart'),
});

/** Whether more is asked for than how each stands. */
function isWhole({ historyLength, includeArtifacts }: ListTasks): boolean {
  return includeArtifacts === true || (historyLength ?? 0) > 0;
}

function limitOf(input: ListTasks): number {
  const asked = input.pageSize ?? DEFAULT_PAGE;
  return isWhole(input) ? Math.min(asked, MOST_WHOLE) : asked;
}

function wholeTask(
  deps: Pick<Deps, 'sealer'>,
  caller: Caller,
  row: TaskRow,
  { historyLength, includeArtifacts }: ListTasks,
): Task {
  const view = { historyLength: historyLength ?? 0, withArtifacts: includeArtifacts === true };
  return listedWhole(showTask(openFor(deps, caller, row), view));
}

function listedTask({ id, context_id: contextId, state, status, status_at: at }: ListedTask): Task {
  const shown = status === null ? { state, timestamp: isoTime(at) } : (JSON.parse(status) as Task['status']);
  return { id, contextId, status: shown };
}

function placeOf(row: ListedTask): TaskCursor {
  return [row.status_at, row.id];
}

const CancelTask = z.object({ id: z.string().min(1).max(255) });

export const cancelTask = useCase({
  summary: 'Withdraws what a task asks for, as long as nothing is paid. Withdrawing it again changes nothing.',
  input: CancelTask,
  output: Shown,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: async (deps, call, input) => {
    await releaseReserved(deps, call.caller, input.id);
    return withdraw(deps, call, input);
  },
});

const withdraw = inOneCommit<z.output<typeof CancelTask>, TaskView>(function* (
  deps: HookDeps,
  caller,
  { id },
  { now },
) {
  yield* withdrawTask(deps, caller, id, now);
  return viewOf(yield* loadTask(deps, caller, id));
});

/** What was reserved for a payment elsewhere is released as by a word of its caller: the policy says whether that frees it. */
async function releaseReserved(deps: Deps, caller: Caller, id: string): Promise<void> {
  const { row } = await deps.store.read(() => loadTask(deps, caller, id));
  if (row.step !== 'told') return;
  const reply = { kind: 'output' } as const;
  await perform(deps, 'releaseReservation', { caller, reply }, { mandateId: row.awaits, reason: 'abandoned' });
}
