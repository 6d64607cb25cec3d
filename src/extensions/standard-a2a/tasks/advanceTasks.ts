/** Goes on with tasks whose turn is the node's: at once where one was woken, and with those that a crash left. */

import { databaseTime } from '../../../store/statements/node/nodes.ts';
import { listDueTasks } from '../../../store/statements/purchases/tasks.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { NODE_LIFE_SECONDS } from '../../../workers/heartbeat.ts';
import { patience, workOff } from '../../../workers/patience.ts';
import { takeOverTask } from './advanceTask.ts';

export async function advanceTasks(deps: Deps, waiting = patience(deps, 'tasks')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) =>
      deps.store.read(function* (at) {
        const now = yield* databaseTime(deps.store.engine, at);
        return yield* listDueTasks(deps.settings.nodeId, now, now - NODE_LIFE_SECONDS * 1000, limit);
      }),
    keyOf: ({ id }) => id,
    settle: (task) => takeOverTask(deps, task),
  });
}
