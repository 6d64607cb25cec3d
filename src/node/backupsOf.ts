/** Backups of this node's data folder, for the use cases. */
import type { Backups } from '../handlers/core/deps.ts';
import { lastBackup } from '../maintenance/backupMark.ts';
import type { Config } from './config.ts';

/** @returns undefined on PostgreSQL, which has its own tools */
export function backupsOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Backups | undefined {
  if (databaseUrl !== undefined) return undefined;
  return { lastAt: () => lastBackup(dataDir) };
}
