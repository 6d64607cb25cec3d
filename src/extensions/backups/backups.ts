/** The extension of scheduled backups: a node on SQLite makes them, keeps them in a folder or a bucket, and restores each to try it. */
import { extension } from '../extension.ts';
import { type BackupProgress, keepSchedule, NAME } from './keepBackups.ts';
import { scheduleOperations, scheduleRoutes } from './scheduleOperations.ts';

export const backups = extension({
  name: NAME,
  operations: scheduleOperations,
  routes: scheduleRoutes,
  documents: async () => ({ examples: (await import('./scheduleExamples.ts')).scheduleExamples }),
  start() {
    const progress: BackupProgress = { running: undefined, failedAt: undefined };
    return {
      services: progress,
      schedules: [keepSchedule(progress)],
      watches: [
        {
          // Without the place, which is the owner's.
          alarms: () => (progress.failedAt === undefined ? [] : [FAILED]),
          warnings: () => (progress.failedAt === undefined ? [] : [FAILED]),
        },
      ],
    };
  },
});

const FAILED = 'A backup that was due could not be made, kept or restored; see Settings, Backups.';
