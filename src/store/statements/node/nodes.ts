/** Which nodes are alive: each says so every few seconds. */
import { exists, run, type Script } from '../../store.ts';
import { integer, table, text, upsertInto } from '../tableDefinition.ts';

export const nodes = table('nodes', ['node_id'], { node_id: text, seen_at: integer });

const upsertNode = upsertInto(nodes);

export function beat(nodeId: string, now: number): Script<boolean> {
  return upsertNode({ node_id: nodeId, seen_at: now });
}

/** Whether any node was seen since then. */
export function isAnyAlive(since: number): Script<boolean> {
  return exists('SELECT node_id FROM nodes WHERE seen_at >= ? LIMIT 1', since);
}

/** Forgets nodes not seen since then. */
export function forgetNodesBefore(time: number): Script<number> {
  return run('DELETE FROM nodes WHERE seen_at < ?', time);
}

/** Forgets a node that leaves in order. */
export function forgetNode(nodeId: string): Script<number> {
  return run('DELETE FROM nodes WHERE node_id = ?', nodeId);
}
