/** What can be asked of the schedule of backups, and by which paths of the facade. */
import type { Route } from '../../gates/rest/routes.ts';
import { endBackupSchedule, setBackupSchedule, showBackupSchedule, startScheduledBackup } from './manageSchedule.ts';

export const scheduleOperations = {
  showBackupSchedule,
  setBackupSchedule,
  endBackupSchedule,
  startScheduledBackup,
};

const PATH = '/ap2/admin/backups/schedule';

export const scheduleRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, useCase: 'showBackupSchedule', status: 200 },
  { method: 'PUT', path: PATH, useCase: 'setBackupSchedule', status: 200 },
  { method: 'DELETE', path: PATH, useCase: 'endBackupSchedule', status: 200 },
  { method: 'POST', path: `${PATH}/start`, useCase: 'startScheduledBackup', status: 200 },
];
