/** Copies an SQLite database in use, as one snapshot (SQLite Online Backup API). */
import { closeSync, openSync } from 'node:fs';
import { codeOf } from '../failure.ts';
import { openDatabase, openToRead } from './openDatabase.ts';

const PAGES_A_STEP = 2000;

/**
 * @param source the file with its write-ahead log, which this or another process may write to meanwhile; unchanged
 * @param target created by this call, readable by its owner only, a single file without a journal
 * @param onProgress receives how many pages of how many were copied
 * @throws Error when the target exists, or the source cannot be read
 */
export async function copyDatabase(
  source: string,
  target: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  const from = openToRead(source);
  try {
    // A read transaction keeps the snapshot. Without it the copy would start again after each commit of others.
    from.exec('BEGIN');
    from.prepare('SELECT COUNT(*) FROM sqlite_master').get();
    await from.backup(target, {
      progress({ totalPages, remainingPages }) {
        onProgress(totalPages - remainingPages, totalPages);
        return PAGES_A_STEP;
      },
    });
  } finally {
    from.close();
  }
  leaveWalMode(target);
}

/**
 * Makes a database a single file again, by merging its write-ahead log into it.
 * @returns false when this or another process has it open; nothing has happened then
 */
export function leaveWalMode(file: string): boolean {
  const database = openDatabase(file, { fileMustExist: true, timeout: 0 });
  try {
    return database.pragma('journal_mode = DELETE', { simple: true }) === 'delete';
  } catch (error) {
    if (codeOf(error)?.startsWith('SQLITE_BUSY') === true || codeOf(error) === 'SQLITE_LOCKED') return false;
    throw error;
  } finally {
    database.close();
  }
}
