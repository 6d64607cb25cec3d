/** What use cases know of this node's data folder. */
import { statfsSync } from 'node:fs';
import type { Deps } from '../usecase/deps.ts';
import { keptBackup } from './backups/keptBackup.ts';
import type { Config } from './config/config.ts';

/**
 * PostgreSQL has disks and backups of its own.
 * @param stopping ends a backup that is being made
 */
export function folderOf(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'issuerKeyFile' | 'rootKeyFile'>,
  stopping: AbortSignal,
): Pick<Deps['data'], 'backups' | 'freeSpace'> {
  const { databaseUrl, dataDir } = config;
  const freeSpace = () => {
    const { bavail, bsize } = statfsSync(dataDir);
    return { bytes: bavail * bsize, folder: dataDir };
  };
  return { freeSpace, backups: databaseUrl === undefined ? keptBackup(config, stopping, Date.now) : undefined };
}
