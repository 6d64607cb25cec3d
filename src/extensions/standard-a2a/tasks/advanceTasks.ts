/** Goes on with tasks whose turn is the node's: at once where one was woken, and with those that a crash left. */

import { databaseTime } from '../../../store/statements/node/nodes.ts';
import { hastenDecidedTasks, listDueTasks } from '../../../store/statements/purchases/tasks.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { Schedule } from '../../../usecase/schedule.ts';
import { NODE_LIFE_SECONDS } from '../../../workers/heartbeat.ts';
import { patience, workOff } from '../../../workers/patience.ts';
import { takeOverTask } from './advanceTask.ts';
import { TASK_SCHEDULE } from './storedTask.ts';

/** The first round finds what people decided while the node ran without tasks. */
export function taskSchedule(): Schedule {
  let isFirst = true;
  return {
    name: TASK_SCHEDULE,
    pauseMs: 1000,
    async work(waiting, deps) {
      if (isFirst) await deps.store.write('tasks', hastenDecidedTasks);
      isFirst = false;
      await advanceTasks(deps, waiting);
    },
  };
}

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
