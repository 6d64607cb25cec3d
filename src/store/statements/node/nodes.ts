/** Which nodes are alive: each says so every few seconds. */
import { get, run, type Script } from '../../store.ts';

export function* beat(nodeId: string, now: number): Script<void> {
  yield* run(
    'INSERT INTO nodes (node_id, seen_at) VALUES (?, ?) ON CONFLICT (node_id) DO UPDATE SET seen_at = excluded.seen_at',
    nodeId,
    now,
  );
}

/** Whether any node was seen since then. */
export function* isAnyAlive(since: number): Script<boolean> {
  return (yield* get('SELECT node_id FROM nodes WHERE seen_at >= ? LIMIT 1', since)) !== undefined;
}

/** Forgets nodes not seen since then, or one that leaves in order. */
export function* forgetNodesBefore(time: number): Script<void> {
  yield* run('DELETE FROM nodes WHERE seen_at < ?', time);
}

export function* forgetNode(nodeId: string): Script<void> {
  yield* run('DELETE FROM nodes WHERE node_id = ?', nodeId);
}
