/** What use cases know of this node's data folder. */
import { statfsSync } from 'node:fs';
import type { Deps } from '../handlers/core/deps.ts';
import { lastBackup } from '../maintenance/backupMark.ts';
import type { Config } from './config.ts';

/** PostgreSQL has disks and backups of its own. */
export function folderOf({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Pick<Deps, 'backups' | 'freeSpace'> {
  const freeSpace = () => {
    const { bavail, bsize } = statfsSync(dataDir);
    return { bytes: bavail * bsize, folder: dataDir };
  };
  const backups = databaseUrl === undefined ? { lastAt: () => lastBackup(dataDir) } : undefined;
  return { backups, freeSpace };
}
