/** Tells the other nodes of a deployment that this one lives, so that what a dead one left is taken over. */

import { databaseTime, deleteNodesBefore, recordHeartbeat } from '../store/statements/node/nodes.ts';
import type { Deps } from '../usecase/deps.ts';

/** A node not heard of for this long is dead. */
export const NODE_LIFE_SECONDS = 6;

export async function sendHeartbeat(deps: Deps): Promise<void> {
  await deps.store.write('nodes', function* (at) {
    const now = yield* databaseTime(deps.store.engine, at);
    yield* recordHeartbeat(deps.settings.nodeId, now);
    yield* deleteNodesBefore(now - 10 * NODE_LIFE_SECONDS * 1000);
  });
}
