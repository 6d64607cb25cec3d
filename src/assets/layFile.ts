/** Lays a file in a folder that no other user can write to, named for its content, so that the next start finds it there. */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const PIECE_BYTES = 65_536;

interface CarriedFile {
  readonly name: string;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Gives its bytes. Called only where the file is to be written: what the binary carries stays in memory once it is read. */
  readonly read: () => Uint8Array;
}

/**
 * @param parent an existing folder, which others may write to as well
 * @returns the path of the file, which has its hash before its name
 */
export function layFile(parent: string, { name, sha256, read }: CarriedFile): string {
  const folder = privateFolder(parent);
  const file = join(folder, `${sha256.slice(0, 32)}-${name}`);
  if (holds(file, sha256)) return file;
  // Written beside its place: two that start at once lay the same file, and neither loads half of it.
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    const path = join(draft, name);
    writeFileSync(path, read(), { mode: 0o500 });
    renameSync(path, file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return file;
}

/** Whether the file is whole, and ours: in a folder that was open for a while another user may have put one of their own. */
function holds(file: string, sha256: string): boolean {
  try {
    const status = lstatSync(file);
    return status.isFile() && isOurs(status) && hashOf(file) === sha256;
  } catch {
    return false;
  }
}

/** Piece by piece: the whole file would be as much memory again, until it is collected. */
function hashOf(path: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/**
 * A folder of this user's own. One that another user made under that name, or a link, is not trusted: a fresh one of
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
