/** Heartbeats of nodes. */
import { exists, get, run, type Script, type Store } from '../../store.ts';
import { integer, table, text, upsertInto } from '../tableDefinition.ts';

export const nodes = table(
  'nodes',
  ['node_id'],
  { node_id: text, seen_at: integer },
  {
    retention: { deletedBy: 'the heartbeat, a minute after a node’s last one' },
    isTestData: false,
  },
);

const upsertNode = upsertInto(nodes);

export function recordHeartbeat(nodeId: string, now: number): Script<void> {
  return upsertNode({ node_id: nodeId, seen_at: now });
}

/** Whether any node has had a heartbeat since then. */
export function isAnyNodeAlive(since: number): Script<boolean> {
  return exists('SELECT node_id FROM nodes WHERE seen_at >= ? LIMIT 1', since);
}

/**
 * An SQL condition: the row belongs to a node that is gone. Its two arguments are the id of the node that asks, and the time, in
 * milliseconds, since which a living node has sent a heartbeat. The node that asks is alive even where its own last heartbeat is
 * older: its clock may have been set, or its machine may have slept.
 */
export function ofGoneNode(column: string): string {
  return `(${column} <> ? AND ${column} NOT IN (SELECT node_id FROM nodes WHERE seen_at >= ?))`;
}

/** Whether a node was seen after a time. */
export function isAnySeenAfter(time: number): Script<boolean> {
  return exists('SELECT node_id FROM nodes WHERE seen_at > ? LIMIT 1', time);
}

/** Counts nodes that were seen after a time, which is still to come, as seen now: those that live will be seen again. */
export function countSeenNow(now: number, after: number): Script<number> {
  return run('UPDATE nodes SET seen_at = ? WHERE seen_at > ?', now, after);
}

/** Deletes nodes without a heartbeat since then. */
export function deleteNodesBefore(time: number): Script<number> {
  return run('DELETE FROM nodes WHERE seen_at < ?', time);
}

/** For a node that stops in order. */
export function deleteNode(nodeId: string): Script<number> {
  return run('DELETE FROM nodes WHERE node_id = ?', nodeId);
}

/**
 * The time by which nodes judge each other's leases and lives: PostgreSQL's clock, since those of the nodes differ. SQLite
 * serves one machine, whose time is the script's.
 * @param now the script's time
 */
export function* databaseTime(engine: Store['engine'], now: number): Script<number> {
  if (engine === 'sqlite') return now;
  const sql = 'SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now';
  return (yield* get<{ readonly now: number }>(sql))?.now ?? now;
}
