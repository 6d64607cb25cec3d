/**
 * Syncs the write-ahead log beside the event loop. SQLite itself does not, under synchronous=NORMAL: a commit is visible
 * before it is on disk (https://www.sqlite.org/pragma.html#pragma_synchronous). Whoever tells of a commit waits here for a
 * sync that began after it.
 *
 * All else that a power cut asks for SQLite does under NORMAL as well (sqlite3.c, `walFrames`, `walCheckpoint`): it syncs the
 * header of a log that begins anew before the first frame, and with it the folder in which it made the file (`unixSync`);
 * before a checkpoint writes to the database the log is synced, and the database before the log is used again. When the log is
 * merged is decided in logMerger.ts.
 *
 * Another process on the file, such as a command, reads commits that are perhaps not on disk. It opens the same store, which
 * finds by `PRAGMA data_version` that there was a commit of others and syncs the log itself before it tells of anything;
 * `copyDatabase` does so for a backup. Whatever else opens the file looks for damage only, and tells of no row.
 */
import { closeSync, fdatasync, openSync, readSync, realpathSync } from 'node:fs';
import { codeOf, unavailable } from '../failure.ts';
import { type LogPosition, SyncedMark } from './syncedMark.ts';

/** Where the salts are in the header of the log, and how long they are. */
const SALTS = { at: 16, bytes: 8 };

/** What is done once the log is synced, or cannot be. */
type Next = (failure: Error | undefined) => void;

interface LogSyncOptions {
  /** False for a connection that changes nothing: there may be no log then, and no mark is left. */
  readonly writes: boolean;
  /** How many commits are known, of this and other processes. */
  readonly commits: () => number;
  /** How many frames the log has; undefined where SQLite cannot say now. */
  readonly frames: () => number | undefined;
  /** Told after a sync how many frames the log had before it. */
  readonly onSynced?: (frames: number) => void;
  /** Told once, of the first sync that failed. */
  readonly onLost: (cause: Error) => void;
}

export class LogSync {
  readonly #file: string;
  readonly #options: LogSyncOptions;
  readonly #mark: SyncedMark | undefined;
  /**
   * Kept open, so that a page which the kernel could not write between two syncs is told at the next (errors are told once
   * to each open file). Closing it ends no lock of SQLite, which has none on the log (sqlite.org/howtocorrupt.html, 2.2).
   */
  #log: number | undefined;
  /** Commits on disk. None at first: what the log holds at the opening may be of a process that was killed before its sync. */
  #synced = -1;
  #isSyncing = false;
  #waiting: { readonly commits: number; readonly next: Next }[] = [];
  #failure: Error | undefined;

  constructor(database: string, options: LogSyncOptions) {
    this.#file = realpathSync(database);
    this.#options = options;
    this.#mark = options.writes ? new SyncedMark(this.#file) : undefined;
  }

  /** Why nobody can tell any more what is on disk. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Calls once so many commits are on disk, which is at once where they are already. */
  whenSynced(commits: number, next: Next): void {
    if (this.#failure !== undefined || commits <= this.#synced) next(this.#failure);
    else {
      this.#waiting.push({ commits, next });
      if (!this.#isSyncing) this.#start();
    }
  }

  /**
   * @returns undefined where so many commits are on disk already, so that nobody needs to wait
   * @throws Fault UNAVAILABLE when they cannot be synced
   */
  synced(commits: number): Promise<void> | undefined {
    if (this.#failure === undefined && commits <= this.#synced) return undefined;
    return new Promise((resolve, reject) => {
      this.whenSynced(commits, (failure) => (failure === undefined ? resolve() : reject(unavailable(failure))));
    });
  }

  /** Ends after all who wait now were called; undefined where nobody waits. */
  lastSync(): Promise<void> | undefined {
    const commits = this.#waiting.map((each) => each.commits);
    return commits.length === 0 ? undefined : this.synced(Math.max(...commits));
  }

  /** Before SQLite may remove the log. */
  clearMark(): void {
    // Of a log that could not be synced nothing is merged, and it is still to be judged.
    if (this.#failure === undefined) this.#mark?.clear();
  }

  /** After the last sync. */
  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#mark?.close();
  }

  /**
   * The end of this store. A sync asked for again would succeed, since the kernel takes the pages that it could not write for
   * written (https://wiki.postgresql.org/wiki/Fsync_Errors): only an opening that reads the log anew, by its checksums, and
   * writes what it holds into the database, knows again what is on disk.
   */
  lose(cause: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = cause;
    for (const { next } of this.#waiting.splice(0)) next(cause);
    this.#options.onLost(cause);
  }

  #start(): void {
    this.#isSyncing = true;
    const commits = this.#options.commits();
    try {
      this.#log ??= this.#open();
      if (this.#log === undefined) {
        // Whoever reads only may have found a database without a log, in which all is on disk.
        this.#end(commits, undefined);
        return;
      }
      const position = this.#mark === undefined ? undefined : this.#position(this.#log);
      // What is written from here on is for the next sync.
      fdatasync(this.#log, (error) => {
        if (error === null) this.#end(commits, position);
        else this.lose(error);
      });
    } catch (error) {
      this.lose(error as Error);
    }
  }

  #end(commits: number, position: LogPosition | undefined): void {
    this.#isSyncing = false;
    this.#synced = commits;
    if (position !== undefined) this.#mark?.write(position);
    const done = this.#waiting.filter((each) => each.commits <= commits);
    this.#waiting = this.#waiting.filter((each) => each.commits > commits);
    // The disk works while those who waited go on.
    if (this.#waiting.length > 0) this.#start();
    for (const { next } of done) next(undefined);
    if (position !== undefined) this.#options.onSynced?.(position.frames);
  }

  #open(): number | undefined {
    try {
      return openSync(`${this.#file}-wal`, this.#options.writes ? 'r+' : 'r');
    } catch (error) {
      if (!this.#options.writes && codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** The salts are read first: should another process begin the log anew in between, the position is of no log at all. */
  #position(log: number): LogPosition | undefined {
    const salts = Buffer.alloc(SALTS.bytes);
    if (readSync(log, salts, 0, SALTS.bytes, SALTS.at) < SALTS.bytes) return undefined;
    const frames = this.#options.frames();
    return frames === undefined ? undefined : { salts, frames };
  }
}
