/**
 * Notes beside the database how far its write-ahead log is known to be on disk. The log's index (`-shm`) says how far it was
 * written, and a power cut may keep the index and lose the end of the log: of what is missing then, only what the mark covers
 * was acknowledged. The mark is written after the log's sync and not synced itself, since an older one claims less.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const SALT_BYTES = 8;
const BYTES = SALT_BYTES + 4;

/** A place in a log. */
export interface LogPosition {
  /** Which log: two numbers that change when it begins anew (https://www.sqlite.org/walformat.html, section 2.1). */
  readonly salts: Buffer;
  /** How many frames, from the first. */
  readonly frames: number;
}

export class SyncedMark {
  readonly #descriptor: number;

  /** @throws Error when the file cannot be written */
  constructor(database: string) {
    const file = syncedMarkFile(database);
    const isThere = existsSync(file);
    this.#descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    // Without a mark all of a log is taken for synced: it must not be gone after a power cut.
    if (!isThere) syncFolder(dirname(file));
    if (process.getuid?.() !== 0) return;
    // As SQLite does with its own files: a command that root runs leaves none that the node may not open.
    const { uid, gid } = statSync(database);
    fchownSync(this.#descriptor, uid, gid);
  }

  write({ salts, frames }: LogPosition): void {
    const bytes = Buffer.alloc(BYTES);
    salts.copy(bytes);
    bytes.writeUInt32LE(frames, SALT_BYTES);
    this.#put(bytes);
  }

  /** Claims nothing, on disk: before the log is removed, which after a power cut may be gone without its index. */
  clear(): void {
    this.#put(Buffer.alloc(BYTES));
    fdatasyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #put(bytes: Buffer): void {
    try {
      writeSync(this.#descriptor, bytes, 0, BYTES, 0);
    } catch {
      // On a full disk the former mark stays, which claims less.
    }
  }
}

/**
 * @returns how many frames of the log with these salts were synced, as far as is known: all of them where there is no mark, as
 *   earlier versions left no commit that was not on disk
 */
export function syncedFrames(database: string, salts: Buffer): number {
  const file = syncedMarkFile(database);
  if (!existsSync(file)) return Number.POSITIVE_INFINITY;
  const bytes = readFileSync(file);
  const isOfLog = bytes.length === BYTES && bytes.subarray(0, SALT_BYTES).equals(salts);
  return isOfLog ? bytes.readUInt32LE(SALT_BYTES) : 0;
}

/** Puts on disk that a file was made in it. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Its file, which is of use to nothing but the database beside it. */
export function syncedMarkFile(database: string): string {
  return `${database}-synced`;
}
