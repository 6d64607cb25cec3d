/**
 * The embedded store: one SQLite file, one connection, and one commit for all the scripts of an event-loop turn. The log is
 * synced beside it: other groups run meanwhile, and nobody is told anything that a power cut could take back.
 */
import { closedStore, sqliteFault, unavailable } from '../failure.ts';
import { pumpSync, type QueuedScript } from '../pump.ts';
import type { Reader, Result, Script, Statement, Store, StoreStats, TimedScript } from '../store.ts';
import { LogMerger } from './logMerger.ts';
import { LogSync } from './logSync.ts';
import { SqliteConnection } from './sqliteConnection.ts';
import { runSqliteGroup } from './sqliteGroup.ts';
import { StoreThread } from './storeThread.ts';

/** A clock for work that writes no times. */
export const NO_CLOCK = (): number => 0;

/** 64 MiB of pages: one that every commit changes is copied to the file once for all of them. */
const MERGE_AT_FRAMES = 8000;
/** A log that is so many times as long SQLite merges within a commit, whatever keeps it from being merged beside them. */
const MERGES_ITSELF = 4;
/** A group of fewer scripts waits for more while a sync is under way, as long as each turn of the event loop brings some. */
const SMALL_GROUP = 16;

interface SqliteOptions {
  /** How many scripts share a commit at most. */
  readonly maxGroup?: number;
  /** With how many frames, which are pages of 8 KiB, the log is merged into the database. */
  readonly mergeAt?: number | undefined;
  /** Whether to read only: the file must exist, and keeps even its journal mode. */
  readonly unchanged?: boolean;
  /**
   * Told once, when the log could not be synced. The store then answers UNAVAILABLE to everything, and the process should
   * end: the next opening finds out what is on disk.
   */
  readonly onLost?: ((cause: Error) => void) | undefined;
}

/**
 * Opens the store.
 * @param file the database file, created with its folder when missing, or `:memory:`
 * @param clock milliseconds since the epoch
 * @throws when the file cannot be opened as a database
 */
export function openSqlite(file: string, clock: () => number, options: SqliteOptions = {}): Store {
  return new SqliteStore(file, clock, options);
}

class SqliteStore implements Store {
  readonly engine = 'sqlite';
  readonly #connection: SqliteConnection;
  readonly #thread: StoreThread | undefined;
  readonly #log: LogSync | undefined;
  readonly #merger: LogMerger | undefined;
  readonly #file: string;
  readonly #clock: () => number;
  readonly #maxGroup: number;
  #queue: QueuedScript[] = [];
  #scheduled = false;
  /** While the last part of the log is merged. */
  #isHeld = false;
  #closed = false;
  #checkedThisTurn = false;
  #commits = 0;
  #scripts = 0;

  constructor(file: string, clock: () => number, options: SqliteOptions) {
    const { mergeAt = MERGE_AT_FRAMES } = options;
    const connection = new SqliteConnection(file, { unchanged: options.unchanged, mergeAt: MERGES_ITSELF * mergeAt });
    this.#connection = connection;
    // A database in memory has one connection.
    this.#thread = file === ':memory:' ? undefined : new StoreThread(file);
    this.#file = file;
    this.#clock = clock;
    this.#maxGroup = options.maxGroup ?? 64;
    this.#log = connection.hasLog ? this.#makeLogSync(options) : undefined;
    const merges = this.#log !== undefined && this.#thread !== undefined && options.unchanged !== true;
    if (merges) this.#merger = this.#makeMerger(this.#log, this.#thread, mergeAt);
  }

  #makeLogSync({ unchanged, onLost = () => {} }: SqliteOptions): LogSync {
    const connection = this.#connection;
    return new LogSync(this.#file, {
      writes: unchanged !== true,
      commits: () => connection.commits,
      frames: () => connection.logState()?.frames,
      onSynced: (frames) => this.#merger?.grown(frames),
      onLost,
    });
  }

  #makeMerger(log: LogSync, thread: StoreThread, mergeAt: number): LogMerger {
    const connection = this.#connection;
    return new LogMerger(this.#file, {
      mergeAt,
      state: () => connection.logState(),
      merge: () => thread.mergeLog(),
      hold: () => (thread.isBusy ? undefined : this.#hold()),
      isLost: () => log.failure !== undefined,
      onLost: (cause) => log.lose(cause),
    });
  }

  write<T>(_tenantId: string, script: TimedScript<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closedStore());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ script, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  async read<T>(script: TimedScript<T>): Promise<T> {
    if (this.#closed) throw closedStore();
    if (this.#connection.inTransaction) throw new Error('A script can read the store only by its own statements.');
    this.#dropStaleCacheOnceATurn();
    const asked = this.#connection.statements;
    this.#connection.takeRecalledCommits();
    try {
      return runReading(this.#connection, script(this.#clock()));
    } finally {
      // A refusal, too, may tell of a commit. What the row cache alone has answered is mostly of old ones.
      const isFromCache = this.#connection.statements === asked;
      const recalled = this.#connection.takeRecalledCommits();
      await this.#log?.synced(isFromCache ? recalled : this.#connection.commits);
    }
  }

  async readApart<T>(script: TimedScript<T>): Promise<T> {
    if (this.#closed) throw closedStore();
    if (this.#thread === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      return this.read(script);
    }
    try {
      return await this.#thread.read(() => script(this.#clock()));
    } finally {
      await this.#allSynced();
    }
  }

  async onSnapshot<T>(work: (snapshot: Reader) => Promise<T>): Promise<T> {
    if (this.#closed) throw closedStore();
    // A database in memory has no other connection, and so nobody who writes beside.
    if (this.#file === ':memory:') return work(this);
    const connection = new SqliteConnection(this.#file, { unchanged: true });
    try {
      begin(connection);
      await this.#allSynced();
      const read = async <Value>(script: TimedScript<Value>) =>
        pumpSync(script(this.#clock()), (statement) => readRows(connection, statement));
      return await work({ engine: this.engine, read });
    } finally {
      connection.close();
    }
  }

  stats(): StoreStats {
    return { commits: this.#commits, scripts: this.#scripts, statements: this.#connection.statements };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // Scripts may wait for the merge of the log.
    await this.#merger?.close();
    while (this.#queue.length > 0) this.#commitGroup();
    await this.#thread?.close();
    // Those who wait are told themselves of a sync that fails.
    await this.#log?.lastSync()?.catch(() => {});
    this.#log?.clearMark();
    // After a failure as well: SQLite syncs the log before it merges it, and this first sync of its own fails then, too.
    this.#connection.close();
    this.#log?.close();
  }

  // setImmediate runs after the turn's I/O callbacks, so that all requests read in this turn are in the queue.
  #schedule(): void {
    if (this.#scheduled || this.#isHeld) return;
    this.#scheduled = true;
    const { length } = this.#queue;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#isHeld) return;
      const isGrowing = this.#queue.length > length && this.#queue.length < SMALL_GROUP;
      // A commit is synced only after the sync that is under way, so waiting for another turn costs nobody time.
      if (!isGrowing || this.#log?.isSyncing !== true) this.#commitGroup();
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  /** Has scripts wait. @returns what lets them go on */
  #hold(): () => void {
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
      if (this.#queue.length > 0) this.#schedule();
    };
  }

  #commitGroup(): void {
    if (this.#queue.length === 0) return;
    const lost = this.#log?.failure;
    if (lost !== undefined) {
      for (const queued of this.#queue.splice(0)) queued.reject(unavailable(lost));
      return;
    }
    const group = this.#queue.slice(0, this.#maxGroup);
    const { run, committed, settle } = runSqliteGroup(this.#connection, group, this.#clock);
    this.#queue = this.#queue.slice(run);
    // A group that wrote nothing may have read what the one before wrote.
    if (this.#log === undefined) settle();
    else this.#log.whenSynced(this.#connection.commits, settle);
    if (committed === 0) return;
    this.#commits += 1;
    this.#scripts += committed;
  }

  /** Waits until all that anybody has committed by now is on disk. */
  async #allSynced(): Promise<void> {
    this.#dropStaleCache();
    await this.#log?.synced(this.#connection.commits);
  }

  #dropStaleCache(): void {
    try {
      this.#connection.dropCacheIfChanged();
    } catch (error) {
      throw sqliteFault(error);
    }
  }

  /** Commits of other processes become visible with the next turn of the event loop. */
  #dropStaleCacheOnceATurn(): void {
    if (this.#checkedThisTurn) return;
    this.#dropStaleCache();
    this.#checkedThisTurn = true;
    setImmediate(() => {
      this.#checkedThisTurn = false;
    });
  }
}

/**
 * Runs a script on one snapshot. Its transaction begins with the first statement that the row cache does not answer, so
 * that what is asked at nearly every request needs none. Groups run from BEGIN to COMMIT without a pause, so nothing
 * uncommitted can be seen here.
 */
function runReading<T>(connection: SqliteConnection, script: Script<T>): T {
  let begun = false;
  try {
    return pumpSync(script, (statement) => {
      const known = connection.recall(statement);
      if (known !== undefined) return known;
      if (!begun) begin(connection);
      begun = true;
      return readRows(connection, statement);
    });
  } finally {
    if (begun) connection.command('COMMIT');
  }
}

/** Takes the snapshot as well, and finds out whether it has commits of other processes that are perhaps not on disk. */
function begin(connection: SqliteConnection): void {
  try {
    connection.command('BEGIN');
    connection.dropCacheIfChanged();
  } catch (error) {
    throw unavailable(error);
  }
}

function readRows(connection: SqliteConnection, statement: Statement): Result {
  try {
    return connection.executeReading(statement);
  } catch (error) {
    throw sqliteFault(error);
  }
}
