/** Opens an SQLite file, with the native library that the single binary contains. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { loadAddon } from '../../assets/addon.ts';
import { isBinary, placeOf } from '../../assets/assets.ts';
import { addonFault } from './addonFault.ts';

let addon: object | undefined;
let isExamined = false;

/** @throws Error when the file cannot be opened */
export function openDatabase(file: string, options: Database.Options = {}): Database.Database {
  if (!isBinary) {
    if (!isExamined) examineAddon();
    return new Database(file, { timeout: 5000, ...options });
  }
  addon ??= loadAddon('better_sqlite3.node');
  // The library accepts the addon itself as well as its path; its types allow the path only.
  return new Database(file, { timeout: 5000, ...options, nativeBinding: addon as unknown as string });
}

/** @throws Error for an addon that would end the process; its file is looked at where its Node can have made one */
function examineAddon(): void {
  isExamined = true;
  if (process.versions.node.split('.')[0] !== '24') return;
  const file = createRequire(import.meta.url).resolve('better-sqlite3/build/Release/better_sqlite3.node');
  const fault = addonFault(readFileSync(file), fileURLToPath(placeOf('scripts/addon/objectWrap.h')));
  if (fault !== undefined) throw new Error(fault);
}

/**
 * Opens a file to read it, and changes nothing: not its journal mode, nor what its write-ahead log holds. Without a log
 * the connection may write, since SQLite would otherwise leave an empty one behind.
 * @throws Error when the file is missing or not a database
 */
export function openToRead(file: string): Database.Database {
  const database = openDatabase(file, { fileMustExist: true, readonly: existsSync(`${file}-wal`) });
  try {
    // The first one reads the file, so that one that is no database is told at once.
    database.pragma('schema_version');
    database.pragma('query_only = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
