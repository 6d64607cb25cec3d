/** Tasks: exchanges with agents that speak standard A2A, as they stand. */
import type { TaskKind } from '../../../../protocol/a2a/dataParts.ts';
import type { TaskState } from '../../../../protocol/a2a/task.ts';
import { all, changed, get, run, type Script } from '../../store.ts';
import { allOf, type Condition, deleteOldest, equal } from '../queries.ts';
import {
  insertInto,
  integer,
  nullable,
  oneOf,
  placeholders,
  type RowOf,
  table,
  text,
  updateOf,
} from '../tableDefinition.ts';

export const tasks = table('tasks', ['id'], {
  id: text,
  tenant_id: text,
  agent_did: text,
  /** Who began it: the kind and the id of the credential. */
  owner_kind: oneOf<'apiKey' | 'did' | 'session'>(),
  owner_id: text,
  context_id: text,
  kind: oneOf<TaskKind>(),
  state: oneOf<TaskState>(),
  /** What comes next: a touch, a cart, the payment, the rail's answer, or the end of an agent. */
  step: nullable(oneOf<'touch' | 'cart' | 'pay' | 'rail' | 'revoked'>()),
  /** The approval or the payment that it waits for. */
  awaits: nullable(text),
  /** When the node goes on with it; while it does, when its lease ends. */
  due_at: nullable(integer),
  /** The node that goes on with it. */
  node_id: nullable(text),
  /** How many events it has had. */
  seq: integer,
  /** How many subscriptions its updates are posted to. */
  pushes: integer,
  /** When its status changed last. */
  status_at: integer,
  created_at: integer,
  ended_at: nullable(integer),
  /** Sealed JSON: messages, artifacts, events, and what the next step needs. */
  content: text,
});
export type TaskRow = RowOf<typeof tasks>;

export const insertTask = insertInto(tasks);

/** Writes what changes of a task. */
export const updateTask = updateOf(tasks, {
  set: ['state', 'step', 'awaits', 'due_at', 'node_id', 'seq', 'pushes', 'status_at', 'ended_at', 'content'],
  where: ['id'],
});

export function findTask(tenantId: string, id: string): Script<TaskRow | undefined> {
  return get('SELECT * FROM tasks WHERE tenant_id = ? AND id = ?', tenantId, id);
}

export function setTaskPushes(id: string, pushes: number): Script<number> {
  return run('UPDATE tasks SET pushes = ? WHERE id = ?', pushes, id);
}

/** How many events a task has had, and nothing else: what waits for one asks often. */
export function* findTaskSeq(tenantId: string, id: string): Script<number | undefined> {
  const row = yield* get<{ seq: number }>('SELECT seq FROM tasks WHERE tenant_id = ? AND id = ?', tenantId, id);
  return row?.seq;
}

/** The tasks that wait for an approval, or the one that waits for a payment. */
export function listTasksAwaiting(tenantId: string, awaits: string): Script<TaskRow[]> {
  return all('SELECT * FROM tasks WHERE tenant_id = ? AND awaits = ? ORDER BY id', tenantId, awaits);
}

/** Lets the node go on with the tasks of an agent that waits for a person or a cart, since its agent is revoked. */
export function endTasksOfAgent(tenantId: string, agentDid: string, now: number): Script<number> {
  const sql = `UPDATE tasks SET step = 'revoked', awaits = NULL, due_at = ?, node_id = NULL
     WHERE tenant_id = ? AND agent_did = ? AND ended_at IS NULL AND step IN ('touch', 'cart')`;
  return run(sql, now, tenantId, agentDid);
}

export type DueTask = Pick<TaskRow, 'id' | 'tenant_id' | 'due_at' | 'node_id'>;

/** The node that had gone on with a task has had no heartbeat since. */
const LOST = 'node_id IS NOT NULL AND node_id NOT IN (SELECT node_id FROM nodes WHERE seen_at >= ?)';

/** What is due, or was left by a node that is gone, the longest due first. */
export function listDueTasks(now: number, deadBefore: number, limit: number): Script<DueTask[]> {
  const sql = `SELECT id, tenant_id, due_at, node_id FROM tasks WHERE due_at IS NOT NULL AND (due_at <= ? OR (${LOST}))
     ORDER BY due_at LIMIT ?`;
  return all(sql, now, deadBefore, limit);
}

/** Leases a task to a node until `until`; false when another node was faster, or it has moved on. */
export function claimTask(task: DueTask, nodeId: string, until: number): Script<boolean> {
  const { id, due_at: dueAt, node_id: former } = task;
  const sql = `UPDATE tasks SET node_id = ?, due_at = ? WHERE id = ? AND due_at = ? AND COALESCE(node_id, '') = ?`;
  return changed(sql, nodeId, until, id, dueAt, former ?? '');
}

/** What a list of tasks is narrowed to. */
export interface TaskFilter {
  /** Undefined for the tasks of all agents. */
  readonly agents: readonly string[] | undefined;
  readonly contextId: string | undefined;
  readonly state: TaskState | undefined;
  /** Milliseconds since the epoch. */
  readonly changedFrom: number | undefined;
}

/** Where a task stands in the list: newest status first. */
export type TaskPlace = readonly [statusAt: number, id: string];

export function listTaskRows(
  tenantId: string,
  filter: TaskFilter,
  before: TaskPlace | undefined,
  limit: number,
): Script<TaskRow[]> {
  const { where, args } = allOf([...conditionsOf(tenantId, filter), before && ['(status_at, id) < (?, ?)', ...before]]);
  const sql = `SELECT * FROM tasks WHERE ${where} ORDER BY status_at DESC, id DESC LIMIT ?`;
  return all(sql, ...args, limit);
}

export function* countTasks(tenantId: string, filter: TaskFilter): Script<number> {
  const { where, args } = allOf(conditionsOf(tenantId, filter));
  return (yield* get<{ count: number }>(`SELECT COUNT(*) AS count FROM tasks WHERE ${where}`, ...args))?.count ?? 0;
}

function conditionsOf(tenantId: string, filter: TaskFilter): (Condition | undefined)[] {
  const { agents, contextId, state, changedFrom } = filter;
  return [
    equal('tenant_id', tenantId),
    // One is searched for in the order of the list; several have to be sorted.
    agents?.length === 1
      ? equal('agent_did', agents[0])
      : agents && [`agent_did IN ${placeholders(agents)}`, ...agents],
    equal('context_id', contextId),
    // A context has few tasks, which are found by its index: the engines would rather take that of the state.
    contextId === undefined || state === undefined ? equal('state', state) : ["(state || '') = ?", state],
    changedFrom === undefined ? undefined : ['status_at >= ?', changedFrom],
  ];
}

/** All tasks, since the content of each is sealed. @param after the id of the last one before */
export function listSealedTasks(after: string, limit: number): Script<Pick<TaskRow, 'id' | 'content'>[]> {
  return all('SELECT id, content FROM tasks WHERE id > ? ORDER BY id LIMIT ?', after, limit);
}

export function saveSealedTask({ id, content }: Pick<TaskRow, 'id' | 'content'>): Script<number> {
  return run('UPDATE tasks SET content = ? WHERE id = ?', content, id);
}

/** @param args the time of the end before which a task goes */
export const deleteTasksBefore = deleteOldest(tasks, 'ended_at < ?', 'ended_at');
