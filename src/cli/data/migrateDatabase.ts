/**
 * `countersign migrate`: brings a database to the schema of this program, after a copy; with --to it then moves all data
 * from SQLite to PostgreSQL or back, and proves that all of it arrived.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { DATABASE, KEY, ROOT_KEY } from '../../maintenance/manifest.ts';
import { transfer } from '../../maintenance/transfer.ts';
import type { Config } from '../../node/config.ts';
import { openOrMakeKeys } from '../../node/openKeys.ts';
import { openStore } from '../../store/openStore.ts';
import { appliedVersion } from '../../store/schema/migrate.ts';
import type { Store } from '../../store/store.ts';
import { WrongUse } from '../commandFailure.ts';
import { configOf } from '../input/configOf.ts';
import { databaseFailure, withConfig } from '../input/withConfig.ts';
import { colour } from '../output/colour.ts';
import { print } from '../output/print.ts';
import { progress } from '../output/progress.ts';

interface MigrateOptions {
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

export function migrateDatabase(env: NodeJS.ProcessEnv, { from, to, json }: MigrateOptions): Promise<void> {
  const output = json === undefined ? {} : { json };
  if (to !== undefined) return move({ ...output, to, from: from ?? configured(configOf(env)) });
  if (from !== undefined) return bringUp(from, output);
  return withConfig(env, (config) => bringUp(configured(config), output, config));
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
}

/** @param config of the node whose key files are brought up too */
async function bringUp(database: string, output: { readonly json?: boolean }, config?: Config): Promise<void> {
  requireDatabase(database);
  const store = await openDatabase(database);
  try {
    if (config !== undefined && existsSync(config.issuerKeyFile)) await openOrMakeKeys(config, store);
    const version = await store.read(() => appliedVersion(store.engine));
    print(output, { version }, `${colour.green('✓')} The database has schema version ${version}, the newest.`);
  } finally {
    await store.close();
  }
}

async function move(options: Move): Promise<void> {
  requireDatabase(options.from);
  const from = await openDatabase(options.from);
  const bar = progress('Moving');
  try {
    const to = await openDatabase(options.to);
    try {
      const moved = await transfer(nativeSuite(), from, to, Date.now(), bar.at);
      bar.end();
      const rows = Object.values(moved.tables).reduce((sum, table) => sum + table.rows, 0);
      const events = moved.chains.reduce((sum, chain) => sum + chain.events, 0);
      const done = `${colour.green('✓')} ${rows} rows and ${events} chained events arrived as they were.`;
      print(options, moved, `${done}\n${next(options)}`);
    } finally {
      bar.end();
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** The keys are not in the database, and the node needs them as before. */
function next({ from, to }: Move): string {
  const [source, target] = [folderOf(from), folderOf(to)];
  if (target === undefined) {
    const keys =
      source === undefined
        ? 'the same ISSUER_KEY_FILE and ROOT_KEY_FILE'
        : `ISSUER_KEY_FILE=${join(source, KEY)} and ROOT_KEY_FILE=${join(source, ROOT_KEY)}`;
    return `Next: start the nodes with DATABASE_URL set to the new database, ${keys}.`;
  }
  const missing = [KEY, ROOT_KEY].filter((name) => !existsSync(join(target, name)));
  if (missing.length === 0) return `Next: start the node with DATA_DIR=${target}.`;
  const files = missing.map((name) => (source === undefined ? name : join(source, name))).join(' and ');
  return `Next: copy ${files} to ${target}, and start the node with DATA_DIR=${target}.`;
}

/** The database of the environment, as `--from` names it. */
function configured({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ?? `sqlite:${dataDir}`;
}

function requireDatabase(text: string): void {
  const folder = folderOf(text);
  if (folder === undefined || existsSync(join(folder, DATABASE))) return;
  throw new WrongUse(`There is no database in ${folder}; give --from the DATA_DIR of a node.`);
}

function openDatabase(text: string): Promise<Store> {
  const folder = folderOf(text);
  const clock = Date.now;
  if (folder !== undefined) {
    const file = join(folder, DATABASE);
    return openStore({ file, clock }).catch((error) => {
      throw databaseFailure(error, file);
    });
  }
  return openStore({ databaseUrl: text, file: '', clock });
}

function folderOf(text: string): string | undefined {
  return text.startsWith('sqlite:') ? text.slice('sqlite:'.length) : undefined;
}
