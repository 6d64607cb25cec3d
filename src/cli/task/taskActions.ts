/** What `countersign task` does: lists, shows and withdraws tasks of standard A2A. */
import type { TaskSummary } from '../../../protocol/a2a/taskRecord.ts';
import { type Cell, columns, localTime, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { type ListOptions, listRecords } from '../target/listRecords.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

const HEADS = ['TASK', 'STATE', 'WHAT', 'CHANGED', 'AGENT', 'CONTEXT'];
const PREFIX = 'TASK_STATE_';

export function listTasks(env: NodeJS.ProcessEnv, options: ListOptions): Promise<void> {
  return listRecords(env, options, 'listTaskRecords', { heads: HEADS, row });
}

export function showTask(env: NodeJS.ProcessEnv, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const record = await client.getTaskRecord({ id });
    print(options, record, `${columns(HEADS, [row(record)])}\n\n${JSON.stringify(record.task, null, 2)}`);
  });
}

export function cancelTask(env: NodeJS.ProcessEnv, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const canceled = await client.cancelTaskRecord({ id });
    print(options, canceled, `${canceled.id} is withdrawn.`);
  });
}

function row({ id, state, kind, changedAt, agentDid, contextId }: TaskSummary, name?: string): Cell[] {
  return [id, statusCell(wordOf(state)), kind, localTime(changedAt), name ?? agentDid, contextId];
}

function wordOf(state: string): string {
  return state.slice(PREFIX.length).toLowerCase();
}
