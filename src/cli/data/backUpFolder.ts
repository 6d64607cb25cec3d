/** `countersign backup`: one file with all that a node on SQLite needs to go on elsewhere, made while it runs. */

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { makeBackup } from '../../maintenance/backup.ts';
import { noteBackup } from '../../maintenance/backupMark.ts';
import { remedyOf } from '../../maintenance/damage.ts';
import { countContents, DATABASE } from '../../maintenance/manifest.ts';
import type { Config } from '../../node/config/config.ts';
import { version } from '../../node/version.ts';
import { codeOf } from '../../store/failure.ts';
import { reasonOf } from '../commandFailure.ts';
import { requireFolderOf } from '../input/files.ts';
import { withConfig } from '../input/withConfig.ts';
import { colour, print, progress } from '../output/print.ts';

interface BackupOptions {
  readonly dataDir?: string;
  readonly withoutKey?: boolean;
  /** False after --no-check. */
  readonly check?: boolean;
  readonly json?: boolean;
}

/** @param given the file to make, or a folder to put one into */
export function backUpFolder(env: NodeJS.ProcessEnv, given: string, options: BackupOptions): Promise<void> {
  const folder = options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir };
  return withConfig({ ...env, ...folder }, (config) => backUp(config, given, options));
}

async function backUp(config: Config, given: string, options: BackupOptions): Promise<void> {
  if (config.databaseUrl !== undefined) {
    throw new Error(
      'This node keeps its data in PostgreSQL, which has its own tool: ' +
        `pg_dump --format=custom --file=countersign.dump "$DATABASE_URL". Keep ${config.issuerKeyFile} and ${config.rootKeyFile} as well.`,
    );
  }
  const target = fileOf(given);
  requireFolderOf(target);
  const bar = progress('Copying');
  const manifest = await makeBackup(nativeSuite(), {
    database: join(config.dataDir, DATABASE),
    keys: options.withoutKey === true ? undefined : { issuer: config.issuerKeyFile, root: config.rootKeyFile },
    target,
    version,
    clock: Date.now,
    check: options.check !== false,
    onProgress: bar.at,
  })
    .catch((error: unknown) => {
      throw damaged(error, config.dataDir);
    })
    .finally(bar.end);
  noteBackup(config.dataDir, Date.now());
  const { events, rows } = countContents(manifest);
  const lines = [
    `${colour.bold(target)}: ${rows} rows, ${events} chained events, schema ${manifest.schemaVersion}.`,
    manifest.includesKey
      ? colour.yellow(
          'It holds both keys: who has this file can sign as this node and open its secrets. Keep it as you keep the keys.',
        )
      : `It holds no key: keep ${config.issuerKeyFile} and ${config.rootKeyFile} as well, nothing works without them.`,
    `Back: countersign restore ${target} --data-dir FOLDER`,
  ];
  print(options, { file: target, ...manifest }, lines.join('\n'));
}

/** Says what to do about damage, besides restoring: an operator who must can copy it as it is. */
function damaged(error: unknown, dataDir: string): unknown {
  const code = codeOf(error);
  const isDamage = code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' || / is damaged: /.test(reasonOf(error));
  if (!isDamage) return error;
  const copy = 'To copy what is left as it is: --no-check.';
  return new Error(`No backup was made. ${reasonOf(error).replace(/\.$/, '')}. ${remedyOf(dataDir)} ${copy}`, {
    cause: error,
  });
}

/** @param target a file, or a folder in which the file is named by the time */
export function fileOf(target: string): string {
  const isFolder = target.endsWith('/') || (existsSync(target) && statSync(target).isDirectory());
  if (!isFolder) return target;
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return join(target, `countersign-${time}.tar`);
}
