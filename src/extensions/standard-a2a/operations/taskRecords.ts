/** Tasks over REST: listed, shown and withdrawn, by their agents, and by callers who act for these. */

import { z } from 'zod';
import { ListTaskRecords, TaskRecord, TaskSummary } from '../../../../protocol/a2a/taskRecord.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { type ListedTask, listTaskRows, type TaskCursor } from '../../../store/statements/purchases/tasks.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { HookDeps } from '../../../usecase/hooks.ts';
import { byAgent, listing } from '../../../usecase/list/listing.ts';
import { inOneCommit, inOneRead, useCase } from '../../../usecase/useCase.ts';
import type { StoredTask } from '../tasks/storedTask.ts';
import { loadTask, showTask } from '../tasks/viewTask.ts';
import { withdrawTask } from '../tasks/withdrawTask.ts';

const Place: z.ZodType<TaskCursor> = z.tuple([z.int(), z.string()]);

export const listTaskRecords = listing({
  summary: 'Lists the tasks of agents that speak standard A2A, those that changed last first.',
  input: ListTaskRecords,
  item: TaskSummary,
  permission: 'read',
  own: byAgent,
  order: { position: Place, of: (row: ListedTask): TaskCursor => [row.status_at, row.id] },
  select: ({ tenantId }, { state, agentDid, contextId }, before, limit) => {
    const agents = agentDid === undefined ? undefined : [agentDid];
    return listTaskRows(tenantId, { agents, contextId, state, changedFrom: undefined }, before, limit);
  },
  show: summaryOf,
});

const ById = z.object({ id: z.string().min(1).max(255) });
type ById = z.output<typeof ById>;

export const getTaskRecord = useCase({
  summary: 'Shows a task of an agent that speaks standard A2A.',
  input: ById,
  output: TaskRecord,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<ById, TaskRecord>(function* (deps: Pick<Deps, 'sealer'>, caller, { id }) {
    return recordOf(yield* loadTask(deps, caller, id));
  }),
});

export const cancelTaskRecord = useCase({
  summary: 'Withdraws what a task asks for, as long as nothing is paid. Withdrawing it again changes nothing.',
  input: ById,
  output: TaskRecord,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<ById, TaskRecord>(function* (deps: HookDeps, caller, { id }, { now }) {
    yield* withdrawTask(deps, caller, id, now);
    return recordOf(yield* loadTask(deps, caller, id));
  }),
});

function summaryOf(row: ListedTask): TaskSummary {
  return compact({
    id: row.id,
    contextId: row.context_id,
    kind: row.kind,
    state: row.state,
    agentDid: row.agent_did,
    createdAt: isoTime(row.created_at),
    changedAt: isoTime(row.status_at),
    endedAt: row.ended_at === null ? undefined : isoTime(row.ended_at),
  });
}

function recordOf(task: StoredTask): TaskRecord {
  return { ...summaryOf(task.row), task: showTask(task) as unknown as Readonly<Record<string, unknown>> };
}
