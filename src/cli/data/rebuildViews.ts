/** `countersign data rebuild-views`: removes the views of a folder, which the next start makes anew. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE } from '../../maintenance/manifest.ts';
import { leaveWalMode } from '../../store/sqlite/copyDatabase.ts';
import { viewsFilesOf } from '../../store/sqlite/viewsFile.ts';
import { configOf } from '../input/configOf.ts';
import { colour, print } from '../output/print.ts';

interface RebuildOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

export async function rebuildViews(env: NodeJS.ProcessEnv, options: RebuildOptions): Promise<void> {
  const config = configOf({ ...env, ...(options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir }) });
  if (config.databaseUrl !== undefined) {
    throw new Error(
      'DATABASE_URL is set, and on PostgreSQL lists read the ledger by its own indexes: nothing is to be made anew.',
    );
  }
  const database = join(config.dataDir, DATABASE);
  if (!existsSync(database)) throw new Error(`There is no database at ${database}; set DATA_DIR to the node's folder.`);
  if (!leaveWalMode(database)) throw new Error(`A node runs on ${config.dataDir}: stop it first.`);
  const removed = viewsFilesOf(database).filter((file) => existsSync(file));
  for (const file of removed) rmSync(file);
  const done = removed.length === 0 ? 'There were no views.' : 'The views are removed.';
  const next = 'Next: countersign serve, which makes them anew while it serves.';
  print(
    options,
    { dataDir: config.dataDir, removed },
    `${colour.green('✓')} ${done} Nothing else has changed.\n${next}`,
  );
}
