/** `countersign backup`, `restore`, `migrate`, `data export` and `data rebuild-views`: what they take. */
import { type Command, InvalidArgumentError, Option } from 'commander';

const DATABASE = 'sqlite:FOLDER or postgres://…';

/** @returns the command `backup`, which has commands of its own */
export function declareBackup(program: Command, env: NodeJS.ProcessEnv): Command {
  const backup = program
    .command('backup')
    // Its commands have options that it has too.
    .enablePositionalOptions()
    .description('Back the data folder up into one file, while the node runs or not.')
    .argument('<target>', 'the file to make, or a folder to put one into')
    .option('--data-dir <folder>', 'the folder of the node (DATA_DIR)')
    .option('--no-check', 'copy a database that is damaged; a restore will refuse it')
    .option('--without-key', 'leave the two keys out; a restore then needs them from elsewhere')
    .addOption(
      new Option('--url <address>', 'a running node elsewhere, on SQLite; its keys stay there').conflicts([
        'dataDir',
        'check',
        'withoutKey',
      ]),
    )
    .option('--key <key>', 'with --url: a key that the node itself made (COUNTERSIGN_API_KEY)')
    .option('--json', 'answer in JSON')
    .action(async (target, options) => {
      if (options.url !== undefined) return (await import('./backUpRemote.ts')).backUpRemote(env, target, options);
      return (await import('./backUpFolder.ts')).backUpFolder(env, target, options);
    });
  backup
    .command('try')
    .description('Restore a backup into a folder that is removed again, and say what was in it.')
    .argument('<file>', 'a backup, or an SQLite file kept before a migration')
    .option('--data-dir <folder>', 'the folder of the node whose keys it needs (DATA_DIR)')
    .option('--json', 'answer in JSON')
    .action(async (file, options) => (await import('./restoreFolder.ts')).tryBackup(env, file, options));
  return backup;
}

export function declareData(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('restore')
    .description(
      'Verify a backup, and put it in the place of what a data folder holds, which is kept in a folder within it.',
    )
    .argument('<file>', 'a backup, or an SQLite file kept before a migration')
    .option('--data-dir <folder>', 'the folder of the node (DATA_DIR)')
    .option('--json', 'answer in JSON')
    .action(async (file, options) => (await import('./restoreFolder.ts')).restoreFolder(env, file, options));
  program
    .command('migrate')
    .description(
      'Bring the database to the schema of this program, after a copy; or move all data into another, empty one.',
    )
    .option('--from <database>', `${DATABASE}; without it that of the environment; no node may run on it`, database)
    .option('--to <database>', `${DATABASE}: move there, and verify every row and chain`, database)
    .option('--take-back', 'go on with a database whose data was moved; what was done in the other one is not there')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./migrateDatabase.ts')).migrateDatabase(env, options));
  const data = program.command('data').description('Take the data of a node elsewhere.');
  data
    .command('export')
    .description(
      'Write evidence and records into a file as JSON lines, without keys and secrets, while the node runs or not.',
    )
    .argument('<file>', 'the file to make')
    .option('--data-dir <folder>', 'the folder of the node (DATA_DIR)')
    .option('--json', 'answer in JSON')
    .action(async (file, options) => (await import('./exportData.ts')).exportData(env, file, options));
  data
    .command('rebuild-views')
    .description(
      'Remove the views that lists are read from, beside the database of a node that does not run; its next start makes them anew.',
    )
    .option('--data-dir <folder>', 'the folder of the node (DATA_DIR)')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./rebuildViews.ts')).rebuildViews(env, options));
}

function database(text: string): string {
  if (/^(sqlite:.|postgres(ql)?:\/\/.)/.test(text)) return text;
  throw new InvalidArgumentError(`It must be ${DATABASE}.`);
}
