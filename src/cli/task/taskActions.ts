/** What `countersign task` does: lists, shows and withdraws tasks of standard A2A. */
import type { TaskSummary } from '../../../protocol/a2a/taskRecord.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Cell, columns, localTime, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { agentCalled, agentNames } from '../target/names.ts';
import { newest } from '../target/pages.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface ListOptions extends TargetOptions {
  /** As a person writes it: `auth_required`. */
  readonly state?: string;
  readonly agent?: string;
  readonly context?: string;
  readonly limit: number;
}

const HEADS = ['TASK', 'STATE', 'WHAT', 'CHANGED', 'AGENT', 'CONTEXT'];
const PREFIX = 'TASK_STATE_';

export function listTasks(env: NodeJS.ProcessEnv, options: ListOptions): Promise<void> {
  const { agent, context: contextId, limit } = options;
  return withTarget(env, options, async ({ client }) => {
    const state = options.state === undefined ? undefined : (stateOf(options.state) as TaskSummary['state']);
    const agentDid = agent === undefined ? undefined : await agentCalled(client, agent);
    const chosen = compact({ state, agentDid, contextId });
    const tasks = await newest(limit, (page) => client.listTaskRecords({ ...page, ...chosen }));
    const names = await agentNames(
      client,
      tasks.map((each) => each.agentDid),
    );
    print(
      options,
      tasks,
      columns(
        HEADS,
        tasks.map((each) => row(each, names.get(each.agentDid))),
      ),
    );
  });
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

function stateOf(word: string): string {
  return PREFIX + word.toUpperCase();
}
