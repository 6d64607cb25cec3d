/** Copies an SQLite database while it is in use, as it was at one moment (SQLite Online Backup API). */
import { closeSync, openSync } from 'node:fs';
import { codeOf } from '../failure.ts';
import { openDatabase } from './openDatabase.ts';

const PAGES_A_STEP = 2000;

/**
 * @param source the file, which this or another process may write to meanwhile
 * @param target made by this call, readable by its owner only, a single file without a journal beside it
 * @param onProgress how many pages of how many were copied
 * @throws Error when there is a file at the target, or the source cannot be read
 */
export async function copySqlite(
  source: string,
  target: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  const from = openDatabase(source, { fileMustExist: true });
  try {
    // A transaction that reads holds this moment. Without it the copy would begin anew after each commit of others.
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
  foldJournal(target);
}

/**
 * Makes a database one file again, all of what its journal holds included.
 * @returns false when another connection has it open, of this or another process; nothing has happened then
 */
export function foldJournal(file: string): boolean {
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
