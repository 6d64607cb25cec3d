/** A task as its callers see it: whole, as it was after some of its events, and the events after those. */
import { type Artifact, isEnd, isSettled, type Task, type TaskEvent } from '../../../../protocol/a2a/task.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { actsFor, type Caller } from '../../../access/caller.ts';
import { findTask, type TaskRow } from '../../../store/statements/purchases/tasks.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { openFor, type StoredTask, statusOf } from './storedTask.ts';

/** @throws Fault TASK_NOT_FOUND, for a task of another caller too */
export function* loadTask(deps: Pick<Deps, 'sealer'>, caller: Caller, id: string): Script<StoredTask> {
  return openFor(deps, caller, yield* loadTaskRow(caller, id));
}

export function* loadTaskRow(caller: Caller, id: string): Script<TaskRow> {
  const row = yield* findTask(caller.tenantId, id);
  if (row === undefined || !actsFor(caller, row.agent_did)) {
    throw new Fault('TASK_NOT_FOUND', `There is no task ${id}.`);
  }
  return row;
}

interface View {
  /** How many of its messages, the latest; all when undefined. */
  readonly historyLength?: number | undefined;
  /** False where the list asks for tasks without what they hand over. */
  readonly withArtifacts?: boolean;
  /** After how many of its events; after all of them when undefined. */
  readonly seq?: number;
}

export function showTask(
  task: StoredTask,
  { historyLength, withArtifacts = true, seq = task.row.seq }: View = {},
): Task {
  const { row, content } = task;
  const shown = content.events.slice(0, seq);
  const artifacts = shown.flatMap((event) =>
    'artifact' in event ? [content.artifacts[event.artifact] as Artifact] : [],
  );
  const history = historyLength === undefined ? content.history : lastOf(content.history, historyLength);
  return compact({
    id: row.id,
    contextId: row.context_id,
    status: statusOf(task, seq),
    artifacts: withArtifacts && artifacts.length > 0 ? artifacts : undefined,
    history: history.length > 0 ? history : undefined,
  });
}

function lastOf<T>(items: readonly T[], count: number): readonly T[] {
  return count === 0 ? [] : items.slice(-count);
}

/** What a stream carries of a task after so many of its events. */
export function eventsAfter({ row, content }: StoredTask, seq: number): TaskEvent[] {
  const about = { taskId: row.id, contextId: row.context_id };
  return content.events.slice(seq).map((event) =>
    'status' in event
      ? { statusUpdate: { ...about, status: event.status } }
      : {
          artifactUpdate: {
            ...about,
            artifact: content.artifacts[event.artifact] as Artifact,
            lastChunk: true as const,
          },
        },
  );
}

/** Where a task stands, for the gate that tells of it. */
export interface TaskView {
  readonly task: Task;
  /** How many events it has had. */
  readonly seq: number;
  readonly isOver: boolean;
  /** Whether the caller that waits for it is answered. */
  readonly isSettled: boolean;
}

export function viewOf(task: StoredTask, view: View = {}): TaskView {
  const shown = showTask(task, view);
  const { state } = shown.status;
  return { task: shown, seq: view.seq ?? task.row.seq, isOver: isEnd(state), isSettled: isSettled(state) };
}
