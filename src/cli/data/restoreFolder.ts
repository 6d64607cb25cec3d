/** `countersign restore`: verifies a backup and puts it in the place of a node's data; `countersign backup try` in that of none. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { countContents, KEY, ROOT_KEY } from '../../maintenance/manifest.ts';
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
  const { events } = countContents(restored);
  const lines = [
    `${colour.green('✓')} ${config.dataDir} holds the backup${restored.createdAt === undefined ? '' : ` of ${restored.createdAt}`}: ` +
      `${events} chained events, every chain verified.`,
    ...(restored.aside === undefined ? [] : [`What was there is in ${restored.aside}.`]),
    'Next: countersign serve',
  ];
  print(options, { dataDir: config.dataDir, ...restored }, lines.join('\n'));
}

/** With the codes that shells give them. */
const INTERRUPTIONS = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** @param source a backup, or an SQLite file kept before a migration */
export async function tryBackup(env: NodeJS.ProcessEnv, source: string, options: RestoreOptions): Promise<void> {
  const config = configOf({ ...env, ...(options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir }) });
  requireFile(source);
  const bar = progress('Verifying');
  // The folder holds the keys, and is not left behind where the try is interrupted: so signals are heard before it is made.
  for (const [signal, code] of INTERRUPTIONS) process.once(signal, () => process.exit(code));
  const folder = mkdtempSync(join(tmpdir(), 'countersign-trial-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const [keyFile, rootKeyFile] = [join(folder, KEY), join(folder, ROOT_KEY)];
    // Those of the node, for a backup without them; those that it holds take their place there.
    if (existsSync(config.issuerKeyFile)) copyFileSync(config.issuerKeyFile, keyFile);
    if (existsSync(config.rootKeyFile)) copyFileSync(config.rootKeyFile, rootKeyFile);
    const task = { source, dataDir: folder, keyFile, rootKeyFile, clock: Date.now, onProgress: bar.at };
    const restored = await restoreBackup(nativeSuite(), task).finally(bar.end);
    const { createdAt, schemaVersion, restoredKey } = restored;
    const { events, rows } = countContents(restored);
    const text = [
      `${colour.green('✓')} ${source} can be restored${createdAt === undefined ? '' : `, to ${createdAt}`}: ` +
        `${rows} rows, ${events} chained events, every chain verified.`,
      restoredKey
        ? 'It holds the keys.'
        : `It holds no key: a restore needs ${KEY} and ${ROOT_KEY} of the node as well.`,
    ];
    print(options, { file: source, createdAt, schemaVersion, rows, events, includesKey: restoredKey }, text.join('\n'));
  } finally {
    remove();
  }
}
