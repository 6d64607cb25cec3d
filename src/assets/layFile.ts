/** Lays a file in a folder that nobody else can write to, named for its content, so that the next start finds it there. */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param parent an existing folder, which others may write to as well
 * @param name of the file, to which its hash is added
 * @returns the path of the file
 */
export function layFile(parent: string, name: string, bytes: Uint8Array): string {
  const folder = privateFolder(parent);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const file = join(folder, `${hash}-${name}`);
  if (holds(file, bytes)) return file;
  // Written beside its place: two that start at once lay the same file, and neither loads half of it.
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    const path = join(draft, name);
    writeFileSync(path, bytes, { mode: 0o500 });
    renameSync(path, file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return file;
}

/** Whether the file is whole, and ours: in a folder that was open for a while somebody may have put one of their own. */
function holds(file: string, bytes: Uint8Array): boolean {
  try {
    const status = lstatSync(file);
    return status.isFile() && isOurs(status) && readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}

/**
 * A folder of this user's own. One that somebody else made under that name, or a link, is not trusted: a fresh one of
 * an unpredictable name takes its place.
 */
function privateFolder(parent: string): string {
  const uid = process.getuid?.();
  const folder = join(parent, uid === undefined ? 'countersign' : `countersign-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const status = lstatSync(folder);
  if (!status.isDirectory() || !isOurs(status)) return mkdtempSync(join(parent, 'countersign-'));
  if (uid !== undefined && (status.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
}

/** Windows has no such ids; there the folder's access list must do. */
function isOurs(status: Stats): boolean {
  return process.getuid === undefined || status.uid === process.getuid();
}
