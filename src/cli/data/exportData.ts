/** `countersign data export`: evidence and records as JSON lines, from a database that no node need run on. */
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exportRecords } from '../../maintenance/exportRecords.ts';
import { DATABASE } from '../../maintenance/manifest.ts';
import { version } from '../../node/version.ts';
import { openCurrentStore } from '../../store/openStore.ts';
import { appliedVersion } from '../../store/schema/migrate.ts';
import { requireFolderOf } from '../input/files.ts';
import { withConfig } from '../input/withConfig.ts';
import { colour, print } from '../output/print.ts';

interface ExportOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** @param file is made anew, readable by its owner alone; one that is there already is replaced once the new one is whole */
export function exportData(env: NodeJS.ProcessEnv, file: string, options: ExportOptions): Promise<void> {
  requireFolderOf(file);
  const folder = options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir };
  return withConfig({ ...env, ...folder }, async ({ databaseUrl, dataDir }) => {
    const store = await openCurrentStore({ databaseUrl, file: join(dataDir, DATABASE), clock: Date.now });
    const draft = `${file}.draft`;
    try {
      // One that an interrupted export left may be readable by others.
      await rm(draft, { force: true });
      const output = await open(draft, 'wx', 0o600);
      const header = {
        program: version,
        schema: await store.read(() => appliedVersion(store.engine)),
        exportedAt: new Date().toISOString(),
      };
      const tables = await exportRecords(store, header, (text) => output.appendFile(text))
        .then(async (counts) => {
          await output.sync();
          return counts;
        })
        .finally(() => output.close());
      await rename(draft, file);
      const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
      const text = `${colour.bold(file)}: ${rows} rows, ${tables['evidence']} of them events of the chain, as JSON lines.`;
      print(
        options,
        { file, tables },
        `${text}\nIt holds no key and no secret, and names who bought what: keep it as such.`,
      );
    } finally {
      await rm(draft, { force: true });
      await store.close();
    }
  });
}
