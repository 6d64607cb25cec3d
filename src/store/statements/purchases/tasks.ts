/** Tasks: exchanges with agents that speak standard A2A, as they stand. */
import type { TaskKind } from '../../../../protocol/a2a/exchangePart.ts';
import type { TaskState } from '../../../../protocol/a2a/task.ts';
import { all, changed, get, run, type Script } from '../../store.ts';
import { ofGoneNode } from '../node/nodes.ts';
import { allOf, type Condition, type DeleteOldest, deleteOldest, equal } from '../queries.ts';
import {
  columnNames,
  DAY_MS,
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

export const tasks = table(
  'tasks',
  ['id'],
  {
    id: text,
    tenant_id: text,
    agent_did: text,
    /** Who began it: the kind and the id of the credential. */
    owner_kind: oneOf<'apiKey' | 'did' | 'session'>(),
    owner_id: text,
    context_id: text,
    kind: oneOf<TaskKind>(),
    state: oneOf<TaskState>(),
    /** JSON: the present status, for lists, which unseal nothing; null for tasks of former versions. */
    status: nullable(text),
    /** What comes next: a touch, a cart, the payment, the rail's answer, or the end of an agent. */
    step: nullable(oneOf<'touch' | 'cart' | 'pay' | 'rail' | 'told' | 'revoked'>()),
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
  },
  {
    retention: { goes: '30 days after its end', purges: [(limit, now) => deleteTasksBefore(limit, now - 30 * DAY_MS)] },
    isTestData: true,
  },
);
export type TaskRow = RowOf<typeof tasks>;

/** When something is due that is due now: before all times, since the clocks of nodes and database differ. */
export const AT_ONCE = 0;

export const insertTask = insertInto(tasks);

/** Writes what changes of a task. */
export const updateTask = updateOf(tasks, {
  set: ['state', 'status', 'step', 'awaits', 'due_at', 'node_id', 'seq', 'pushes', 'status_at', 'ended_at', 'content'],
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

/** The tasks that wait for an approval, the oldest first. */
export function listTasksAwaiting(tenantId: string, awaits: string, limit: number): Script<TaskRow[]> {
  return all('SELECT * FROM tasks WHERE tenant_id = ? AND awaits = ? ORDER BY id LIMIT ?', tenantId, awaits, limit);
}

/** Lets the node go on with every task that waits for an approval, however many there are. */
export function hastenTasksAwaiting(tenantId: string, awaits: string): Script<number> {
  const sql = `UPDATE tasks SET due_at = ${AT_ONCE}, node_id = NULL WHERE tenant_id = ? AND awaits = ?`;
  return run(sql, tenantId, awaits);
}

/** Lets the node go on with tasks that wait for an approval which was decided while none was told of it. */
export function hastenDecidedTasks(): Script<number> {
  const sql = `UPDATE tasks SET due_at = ${AT_ONCE} WHERE due_at IS NOT NULL AND node_id IS NULL AND step = 'touch'
     AND EXISTS (SELECT 1 FROM approval_requests AS decided
       WHERE decided.tenant_id = tasks.tenant_id AND decided.id = tasks.awaits AND decided.status <> 'pending')`;
  return run(sql);
}

/** Goes on with a task later. */
export function postponeTask(id: string, dueAt: number): Script<number> {
  return run('UPDATE tasks SET due_at = ?, node_id = NULL WHERE id = ?', dueAt, id);
}

/** Lets the node go on with the tasks of an agent that waits for a person or a cart, since its agent is revoked. */
export function endTasksOfAgent(tenantId: string, agentDid: string): Script<number> {
  const sql = `UPDATE tasks SET step = 'revoked', awaits = NULL, due_at = ${AT_ONCE}, node_id = NULL
     WHERE tenant_id = ? AND agent_did = ? AND ended_at IS NULL AND step IN ('touch', 'cart')`;
  return run(sql, tenantId, agentDid);
}

export type DueTask = Pick<TaskRow, 'id' | 'tenant_id' | 'due_at' | 'node_id'>;

/** What is due, or was left by a node that is gone, the longest due first. @param nodeId the node that asks */
export function listDueTasks(nodeId: string, now: number, deadBefore: number, limit: number): Script<DueTask[]> {
  // Two questions, each with its index: most tasks wait for a person, and are not looked at.
  const sql = `SELECT id, tenant_id, due_at, node_id FROM tasks WHERE id IN (
     SELECT id FROM (SELECT id FROM tasks WHERE due_at <= ? ORDER BY due_at LIMIT ?) AS due
     UNION SELECT id FROM tasks
       WHERE node_id IS NOT NULL AND ${ofGoneNode('node_id')})`;
  return all(sql, now, limit, nodeId, deadBefore);
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
export type TaskCursor = readonly [statusAt: number, id: string];

/** A task as a list has it, which is not unsealed. */
export type ListedTask = Omit<TaskRow, 'content'>;

const LISTED = columnNames(tasks)
  .filter((name) => name !== 'content')
  .join(', ');

export function listTaskRows(
  tenantId: string,
  filter: TaskFilter,
  before: TaskCursor | undefined,
  limit: number,
): Script<ListedTask[]> {
  return pageOf<ListedTask>(LISTED, tenantId, filter, before, limit);
}

/** As listTaskRows, with all that they hold: for few at a time. */
export function listWholeTasks(
  tenantId: string,
  filter: TaskFilter,
  before: TaskCursor | undefined,
  limit: number,
): Script<TaskRow[]> {
  return pageOf<TaskRow>('*', tenantId, filter, before, limit);
}

/** The tasks of several agents are as many pages that are put together, since no index has them in one order. */
function* pageOf<Row extends ListedTask>(
  columns: string,
  tenantId: string,
  filter: TaskFilter,
  before: TaskCursor | undefined,
  limit: number,
): Script<Row[]> {
  const { agents } = filter;
  const parts =
    agents === undefined || agents.length < 2 ? [filter] : agents.map((did) => ({ ...filter, agents: [did] }));
  const rows: Row[] = [];
  for (const part of parts) {
    const { where, args } = allOf([...conditionsOf(tenantId, part), before && ['(status_at, id) < (?, ?)', ...before]]);
    const sql = `SELECT ${columns} FROM tasks WHERE ${where} ORDER BY status_at DESC, id DESC LIMIT ?`;
    rows.push(...(yield* all<Row>(sql, ...args, limit)));
  }
  return parts.length === 1 ? rows : rows.sort(newestFirst).slice(0, limit);
}

function newestFirst(one: ListedTask, other: ListedTask): number {
  return other.status_at - one.status_at || (one.id < other.id ? 1 : -1);
}

export function* countTasks(tenantId: string, filter: TaskFilter): Script<number> {
  const { where, args } = allOf(conditionsOf(tenantId, filter));
  return (yield* get<{ count: number }>(`SELECT COUNT(*) AS count FROM tasks WHERE ${where}`, ...args))?.count ?? 0;
}

function conditionsOf(tenantId: string, filter: TaskFilter): (Condition | undefined)[] {
  const { agents, contextId, state, changedFrom } = filter;
  return [
    equal('tenant_id', tenantId),
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

/** What the content of a task is sealed for. */
export function taskContext(id: string): string {
  return `task ${id}`;
}

export function saveSealedTask({ id, content }: Pick<TaskRow, 'id' | 'content'>): Script<number> {
  return run('UPDATE tasks SET content = ? WHERE id = ?', content, id);
}

/** @param args the time of the end before which a task goes */
const deleteTasksBefore: DeleteOldest = deleteOldest(tasks, 'ended_at < ?', 'ended_at');
