/**
 * Merges the write-ahead log into the database beside the event loop. SQLite itself merges within a commit, once the log is
 * long: it copies thousands of pages and syncs the database, and nothing else happens in the process meanwhile.
 *
 * Here another thread copies them, and the pool syncs what it has copied, while commits go on. What the log got meanwhile is
 * little; commits wait while the thread merges that, or there would always be more. SQLite syncs the database for all of it
 * then, and the next commit begins the log anew (sqlite3.c, `walCheckpoint`, `walRestartLog`: it does neither while the log has
 * frames that are not in the database).
 */
import { fdatasync, openSync } from 'node:fs';
import { codeOf } from '../failure.ts';

/** Frames for which commits wait, at most: some milliseconds. */
const FEW = 1000;
/** How often the thread copies what came while it copied, until there are few. */
const ROUNDS = 3;

/** The write-ahead log, in frames of a page each. */
export interface LogState {
  readonly frames: number;
  /** Of these, so many are in the database. */
  readonly merged: number;
}

interface LogMergerOptions {
  /** The log is merged when it has so many frames. */
  readonly mergeAt: number;
  /** The state of the log; undefined where SQLite cannot say now. */
  readonly state: () => LogState | undefined;
  /** Merges in another thread, while this one goes on. */
  readonly merge: () => Promise<void>;
  /** Lets no commit begin until what it returns is called; undefined while that thread has other work, which may take long. */
  readonly hold: () => (() => void) | undefined;
  /** Whether the store has lost its disk, so that nothing may be merged any more. */
  readonly isLost: () => boolean;
  /** Told of a sync of the database that failed: the kernel takes its pages for written then, and SQLite would too. */
  readonly onLost: (cause: Error) => void;
}

export class LogMerger {
  readonly #file: string;
  readonly #options: LogMergerOptions;
  /** Opened for the first sync, and never closed: closing any descriptor of it ends SQLite's locks (sqlite.org/howtocorrupt.html, 2.2). */
  #database: number | undefined;
  #mergeAt: number;
  #merging: Promise<void> | undefined;
  #closed = false;

  constructor(file: string, options: LogMergerOptions) {
    this.#file = file;
    this.#options = options;
    this.#mergeAt = options.mergeAt;
  }

  /** To be called as the log grows. */
  grown(frames: number): void {
    // It has begun anew.
    if (frames < this.#options.mergeAt) this.#mergeAt = this.#options.mergeAt;
    if (frames < this.#mergeAt || this.#merging !== undefined || this.#closed) return;
    // What a long snapshot keeps from being merged is tried again when as much has come again.
    this.#mergeAt = frames + this.#options.mergeAt;
    this.#merging = this.#merge()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#merging = undefined;
      });
  }

  /** Begins no other merge, and ends after the one under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#merging;
  }

  async #merge(): Promise<void> {
    const { state, merge, mergeAt } = this.#options;
    for (let round = 0; round < ROUNDS && !this.#options.isLost(); round++) {
      await merge();
      const now = state();
      // Where nothing came meanwhile SQLite has synced the database itself, and perhaps begun the log anew.
      if (now === undefined || now.merged === now.frames || now.frames < mergeAt) return;
      await this.#syncDatabase();
      const left = (state()?.frames ?? Number.POSITIVE_INFINITY) - now.merged;
      if (left <= FEW) return this.#mergeRest();
    }
  }

  async #mergeRest(): Promise<void> {
    if (this.#options.isLost()) return;
    const release = this.#options.hold();
    if (release === undefined) return;
    try {
      await this.#options.merge();
    } finally {
      release();
    }
  }

  #syncDatabase(): Promise<void> {
    this.#database ??= openSync(this.#file, 'r+');
    const database = this.#database;
    return new Promise((resolve) => {
      fdatasync(database, (error) => {
        if (error !== null) this.#options.onLost(error);
        resolve();
      });
    });
  }

  /** A full disk, or a lock of another process: the log stays as it is, and is merged once there is more of it. */
  #failed(error: unknown): void {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (codeOf(cause) === 'SQLITE_IOERR_FSYNC') this.#options.onLost(cause as Error);
  }
}
