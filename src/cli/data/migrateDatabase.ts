/**
 * `countersign migrate`: brings a database to the schema of this program, after a copy; with --to it then moves all data
 * from SQLite to PostgreSQL or back, and proves that all of it arrived.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { DATABASE, KEY, ROOT_KEY } from '../../maintenance/manifest.ts';
import { refuseMoved, takeBack } from '../../maintenance/moved.ts';
import { transfer } from '../../maintenance/transfer.ts';
import type { Config } from '../../node/config/config.ts';
import { openOrMakeKeys } from '../../node/openKeys.ts';
import { openStore } from '../../store/openStore.ts';
import { appliedVersion } from '../../store/schema/migrate.ts';
import type { Store } from '../../store/store.ts';
import { WrongUse } from '../commandFailure.ts';
import { configOf } from '../input/configOf.ts';
import { databaseFailure, withConfig } from '../input/withConfig.ts';
import { colour, print, progress } from '../output/print.ts';

interface MigrateOptions {
  readonly from?: string;
  readonly to?: string;
  readonly takeBack?: boolean;
  readonly json?: boolean;
}

export function migrateDatabase(env: NodeJS.ProcessEnv, options: MigrateOptions): Promise<void> {
  const { from, to, json, takeBack: isTakenBack } = options;
  const output = json === undefined ? {} : { json };
  if (isTakenBack === true) {
    if (to !== undefined) throw new WrongUse('--take-back goes on with a database, --to moves it: give one of them.');
    return goOnWith(from ?? configured(configOf(env)), output);
  }
  if (to !== undefined) return move({ ...output, to, from: from ?? configured(configOf(env)) });
  if (from !== undefined) return bringUp(from, output);
  return withConfig(env, (config) => bringUp(configured(config), output, config));
}

const MARKED = 'No node starts on the former database any more, until "countersign migrate --take-back".';

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
    await refuseMoved(store);
    if (config !== undefined && existsSync(config.issuerKeyFile)) await openOrMakeKeys(config, store);
    const version = await store.read(() => appliedVersion(store.engine));
    print(output, { version }, `${colour.green('✓')} The database has schema version ${version}, the newest.`);
  } finally {
    await store.close();
  }
}

/** Takes the mark off a database whose data was moved. */
async function goOnWith(database: string, output: { readonly json?: boolean }): Promise<void> {
  requireDatabase(database);
  const store = await openDatabase(database);
  try {
    const wasMoved = await takeBack(store);
    const warning = 'Never start a node on the other database again: each would spend the same limits anew.';
    const done = `${colour.green('✓')} Nodes start on this database again. ${warning}`;
    print(output, { wasMoved }, wasMoved ? done : 'The data of this database was not moved; nothing has changed.');
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
      const course = { now: Date.now(), target: nameOf(options.to), onProgress: bar.at };
      const moved = await transfer(nativeSuite(), from, to, course);
      bar.end();
      const rows = Object.values(moved.tables).reduce((sum, table) => sum + table.rows, 0);
      const events = moved.chains.reduce((sum, chain) => sum + chain.events, 0);
      const done = `${colour.green('✓')} ${rows} rows and ${events} chained events arrived as they were.`;
      print(options, moved, `${done}\n${next(options)}\n${MARKED}`);
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

/** A database as it may be shown and logged: without a password. */
function nameOf(text: string): string {
  const folder = folderOf(text);
  if (folder !== undefined) return `sqlite:${resolve(folder)}`;
  const url = new URL(text);
  url.password = '';
  url.search = '';
  return url.href;
}

function folderOf(text: string): string | undefined {
  return text.startsWith('sqlite:') ? text.slice('sqlite:'.length) : undefined;
}
