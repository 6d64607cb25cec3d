/** When the last backup of a data folder was made, noted in the folder by the program that makes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MARK = 'last-backup';

/** Notes a backup. A folder that does not take the note was backed up all the same. */
export function noteBackup(dataDir: string, at: number): void {
  try {
    writeFileSync(join(dataDir, MARK), `${new Date(at).toISOString()}\n`, { mode: 0o600 });
  } catch {
    // The owner is reminded once more than needed.
  }
}

/** @returns milliseconds since the epoch; undefined where no backup is known */
export function lastBackup(dataDir: string): number | undefined {
  try {
    const time = Date.parse(readFileSync(join(dataDir, MARK), 'utf8').trim());
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}
