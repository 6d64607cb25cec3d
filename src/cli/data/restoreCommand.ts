/** `countersign restore`: verifies a backup and puts it in the place of a node's data. */
import { Command } from 'commander';
import pc from 'picocolors';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { restoreBackup } from '../../maintenance/restore.ts';
import { readConfig } from '../../node/config.ts';
import { print } from '../output/print.ts';
import { progress } from '../output/progress.ts';

interface RestoreOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

export function restoreCommand(env: NodeJS.ProcessEnv): Command {
  return new Command('restore')
    .description('Verify a backup and put it in the place of what a data folder holds, which is kept beside it.')
    .argument('<file>', 'a backup, or an SQLite file kept before a migration')
    .option('--data-dir <folder>', 'the folder of the node (DATA_DIR)')
    .option('--json', 'answer in JSON')
    .action((file: string, options: RestoreOptions) => restore(env, file, options));
}

async function restore(env: NodeJS.ProcessEnv, source: string, options: RestoreOptions): Promise<void> {
  const config = readConfig({ ...env, ...(options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir }) });
  if (config.databaseUrl !== undefined) {
    throw new Error(
      'DATABASE_URL is set, and a backup holds an SQLite database: unset it to restore into a folder; ' +
        'for a dump of PostgreSQL use pg_restore.',
    );
  }
  const bar = progress('Verifying');
  const restored = await restoreBackup(nativeSuite(), {
    source,
    dataDir: config.dataDir,
    keyFile: config.issuerKeyFile,
    clock: Date.now,
    onProgress: bar.at,
  }).finally(bar.end);
  const events = restored.chains.reduce((sum, chain) => sum + chain.events, 0);
  const lines = [
    `${pc.green('✓')} ${config.dataDir} holds the backup${restored.createdAt === undefined ? '' : ` of ${restored.createdAt}`}: ` +
      `${events} chained events, every chain verified.`,
    ...(restored.aside === undefined ? [] : [`What was there is in ${restored.aside}.`]),
    'Next: countersign serve',
  ];
  print(options, { dataDir: config.dataDir, ...restored }, lines.join('\n'));
}
