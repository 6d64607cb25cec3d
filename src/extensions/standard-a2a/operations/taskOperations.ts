/** What can be asked of tasks, and by which paths of the facade. */
import type { Route } from '../../../gates/rest/routes.ts';
import { getTaskPush, listTaskPushConfigs, removeTaskPush, setTaskPush } from './manageTaskPushes.ts';
import { cancelTask, getTask, listTasks } from './manageTasks.ts';
import { cancelTaskRecord, getTaskRecord, listTaskRecords } from './taskRecords.ts';

/** What standard A2A alone asks for, which has its own ways to name and to list. */
export const taskMethods = {
  getTask,
  listTasks,
  cancelTask,
  setTaskPush,
  getTaskPush,
  listTaskPushConfigs,
  removeTaskPush,
};

export const taskOperations = { listTaskRecords, getTaskRecord, cancelTaskRecord, ...taskMethods };

export const taskRoutes: readonly Route[] = [
  { method: 'GET', path: '/ap2/tasks', useCase: 'listTaskRecords', status: 200 },
  { method: 'GET', path: '/ap2/tasks/:id', useCase: 'getTaskRecord', status: 200 },
  { method: 'POST', path: '/ap2/tasks/:id/cancel', useCase: 'cancelTaskRecord', status: 200 },
];
