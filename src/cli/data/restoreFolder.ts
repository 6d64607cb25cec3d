/** `countersign restore`: verifies a backup and puts it in the place of a node's data. */
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { restoreBackup } from '../../maintenance/restore.ts';
import { configOf } from '../input/configOf.ts';
import { requireFile } from '../input/files.ts';
import { colour, print, progress } from '../output/print.ts';

interface RestoreOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** @param source a backup, or an SQLite file kept before a migration */
export async function restoreFolder(env: NodeJS.ProcessEnv, source: string, options: RestoreOptions): Promise<void> {
  const config = configOf({ ...env, ...(options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir }) });
  if (config.databaseUrl !== undefined) {
    throw new Error(
      'DATABASE_URL is set, and a backup holds an SQLite database: unset it to restore into a folder; ' +
        'for a dump of PostgreSQL use pg_restore.',
    );
  }
  requireFile(source);
  const bar = progress('Verifying');
  const restored = await restoreBackup(nativeSuite(), {
    source,
    dataDir: config.dataDir,
    keyFile: config.issuerKeyFile,
    rootKeyFile: config.rootKeyFile,
    clock: Date.now,
    onProgress: bar.at,
  }).finally(bar.end);
  const events = restored.chains.reduce((sum, chain) => sum + chain.events, 0);
  const lines = [
    `${colour.green('✓')} ${config.dataDir} holds the backup${restored.createdAt === undefined ? '' : ` of ${restored.createdAt}`}: ` +
      `${events} chained events, every chain verified.`,
    ...(restored.aside === undefined ? [] : [`What was there is in ${restored.aside}.`]),
    'Next: countersign serve',
  ];
  print(options, { dataDir: config.dataDir, ...restored }, lines.join('\n'));
}
