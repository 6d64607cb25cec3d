/** Looks for damage in an SQLite file, and says what its owner can do about it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openToRead } from '../store/sqlite/openDatabase.ts';

/**
 * @param thorough whether to compare the indexes with their tables as well, which takes several times as long
 * @returns SQLite's own first finding in one line; undefined for a file that is whole
 */
export function findDamage(file: string, thorough: boolean): string | undefined {
  try {
    const database = openToRead(file);
    try {
      const pragma = thorough ? 'integrity_check(1)' : 'quick_check(1)';
      const finding = String(database.pragma(pragma, { simple: true }));
      return finding === 'ok' ? undefined : finding.replaceAll('\n', ' ');
    } finally {
      database.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What brings a data folder back: the newest copy that lies in it, or else a backup that its owner has elsewhere. */
export function remedyOf(dataDir: string): string {
  const folder = join(dataDir, 'backups');
  const copies = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : [];
  const [newest] = copies
    .map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  const restore = (file: string) => `countersign restore ${file} --data-dir ${dataDir}`;
  if (newest === undefined) return `Restore your newest backup: ${restore('FILE')}`;
  const made = new Date(newest.at).toISOString();
  return `Restore your newest backup: ${restore('FILE')} (or the copy of ${made} in the folder: ${restore(newest.file)})`;
}

/**
 * A node has keys before it has data, and its file is never empty again: an empty one was cut off, and a new history in
 * it would hide that.
 * @throws Error that names the file and the way back
 */
export function refuseEmptied(dataDir: string, file: string, keyFile: string): void {
  const isEmptied = existsSync(keyFile) && existsSync(file) && statSync(file).size === 0;
  const hasLog = existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0;
  if (isEmptied && !hasLog) throw new Error(`${file} is empty, and was not: this node has keys. ${remedyOf(dataDir)}`);
}
