/**
 * The embedded store: one SQLite file, one connection, and one commit for all the scripts of an event-loop turn. A commit is on
 * disk when it returns (https://www.sqlite.org/pragma.html#pragma_synchronous, FULL), and a promise resolves after it.
 */
import { causeOf, closedStore, isDamage, sqliteFault, unavailable } from '../failure.ts';
import { pumpSync, type QueuedScript } from '../pump.ts';
import type { Reader, Result, Script, Statement, Store, StoreStats, TimedScript } from '../store.ts';
import { SqliteConnection } from './sqliteConnection.ts';
import { runSqliteGroup } from './sqliteGroup.ts';
import { StoreThread } from './storeThread.ts';
import { RETRY_MS, ViewsWriter } from './viewsWriter.ts';

/** A clock for work that writes no times. */
export const NO_CLOCK = (): number => 0;

interface SqliteOptions {
  /** How many scripts share a commit at most. */
  readonly maxGroup?: number;
  /** With how many frames, which are pages of 8 KiB, SQLite copies its log into the database. */
  readonly checkpointAt?: number | undefined;
  /** Whether to read only: the file must exist, and keeps even its journal mode. */
  readonly unchanged?: boolean;
  /** Told what SQLite says of a page that it cannot use, each time a script meets one. */
  readonly onDamage?: ((finding: string) => void) | undefined;
}

/**
 * Opens the store.
 * @param file the database file, created with its folder when missing, or `:memory:`
 * @param clock milliseconds since the epoch
 * @throws when the file cannot be opened as a database
 */
export function openSqlite(file: string, clock: () => number, options: SqliteOptions = {}): EmbeddedStore {
  return new SqliteStore(file, clock, options);
}

interface EmbeddedStore extends Store {
  /** Writes views into a file beside the database from now on, and reads lists from there as soon as it can be made. */
  serveViews(): Promise<void>;
}

/** Ends a script that would read the ledger for longer than others should wait. */
const LONG_LIST = new Error('The list is read beside the writer.');

class SqliteStore implements EmbeddedStore {
  readonly engine = 'sqlite';
  readonly #connection: SqliteConnection;
  #thread: StoreThread | undefined;
  #views: ViewsWriter | undefined;
  #areRemade = false;
  readonly #file: string;
  readonly #clock: () => number;
  readonly #maxGroup: number;
  readonly #onDamage: (finding: string) => void;
  #queue: QueuedScript[] = [];
  #scheduled = false;
  #closed = false;
  #checkedThisTurn = false;
  #commits = 0;
  #scripts = 0;

  constructor(file: string, clock: () => number, options: SqliteOptions) {
    const { maxGroup = 64, unchanged, checkpointAt, onDamage = () => {} } = options;
    this.#connection = new SqliteConnection(file, { unchanged, checkpointAt });
    // A database in memory has one connection.
    this.#thread = file === ':memory:' ? undefined : new StoreThread(file);
    this.#file = file;
    this.#clock = clock;
    this.#maxGroup = maxGroup;
    this.#onDamage = onDamage;
  }

  write<T>(_tenantId: string, script: TimedScript<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closedStore());
    return new Promise<T>((resolve, reject) => {
      const failed = (error: unknown) => reject(this.#noted(error));
      this.#queue.push({ script, resolve: resolve as (value: unknown) => void, reject: failed });
      this.#schedule();
    });
  }

  async read<T>(script: TimedScript<T>): Promise<T> {
    if (this.#closed) throw closedStore();
    if (this.#connection.inTransaction) throw new Error('A script can read the store only by its own statements.');
    try {
      return this.#readNow(script);
    } catch (error) {
      if (error === LONG_LIST) return this.readApart(script);
      if (this.#connection.takeViewsFailed()) {
        this.#remakeViews();
        return this.read(script);
      }
      throw this.#noted(error);
    }
  }

  #readNow<T>(script: TimedScript<T>): T {
    this.#dropStaleCacheOnceATurn();
    const isFar = this.#views !== undefined && !this.#connection.hasViews;
    return runReading(this.#connection, script(this.#clock()), (statement) => {
      if (isFar && this.#connection.readsViews(statement)) throw LONG_LIST;
    });
  }

  async readApart<T>(script: TimedScript<T>): Promise<T> {
    if (this.#closed) throw closedStore();
    if (this.#thread !== undefined) {
      return this.#thread
        .read(() => script(this.#clock()))
        .catch((error: unknown) => {
          if (!this.#connection.hasViews || !isDamage(error)) throw this.#noted(error);
          // It may be the views' damage: what fails without them is the ledger's.
          this.#remakeViews();
          return this.readApart(script);
        });
    }
    await new Promise((resolve) => setImmediate(resolve));
    return this.read(script);
  }

  async onSnapshot<T>(work: (snapshot: Reader) => Promise<T>): Promise<T> {
    if (this.#closed) throw closedStore();
    // A database in memory has no other connection, so all that is written goes through this one.
    if (this.#file === ':memory:') return work(this);
    const connection = new SqliteConnection(this.#file, { unchanged: true });
    try {
      begin(connection);
      const read = async <Value>(script: TimedScript<Value>) =>
        pumpSync(script(this.#clock()), (statement) => readRows(connection, statement));
      return await work({ engine: this.engine, read });
    } catch (error) {
      throw this.#noted(error);
    } finally {
      connection.close();
    }
  }

  stats(): StoreStats {
    const { statements } = this.#connection;
    const views = this.#views && { views: this.#views.state };
    return { commits: this.#commits, scripts: this.#scripts, statements, ...views };
  }

  async serveViews(): Promise<void> {
    const views = new ViewsWriter(this.#file, this.#clock, {
      onFar: (isFar) => (isFar ? this.#leaveViews() : this.#readViews(views)),
      onDamage: () => this.#remakeViews(),
    });
    this.#views = views;
    await this.#openViews(views, false);
  }

  async #openViews(views: ViewsWriter, isAnew: boolean): Promise<void> {
    if (this.#closed || (await views.open(isAnew))) return;
    setTimeout(() => void this.#openViews(views, isAnew), RETRY_MS).unref();
  }

  #readViews({ thread }: ViewsWriter): void {
    if (this.#closed || this.#connection.hasViews) return;
    this.#connection.attachViews();
    void this.#thread?.close();
    this.#thread = thread;
  }

  /** Reads lists from the ledger, the newest rows first, in a thread that does not write the views. */
  #leaveViews(): void {
    if (this.#closed || !this.#connection.hasViews) return;
    this.#connection.detachViews();
    this.#thread = new StoreThread(this.#file);
  }

  /** Makes the views anew, after a page of them could not be used; lists read the ledger until they are near it. */
  #remakeViews(): void {
    const views = this.#views;
    if (views === undefined || this.#closed || this.#areRemade) return;
    this.#areRemade = true;
    this.#leaveViews();
    void views
      .pause()
      .then(() => this.#openViews(views, true))
      .finally(() => {
        this.#areRemade = false;
      });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    while (this.#queue.length > 0) this.#commitGroup();
    await this.#views?.close();
    await this.#thread?.close();
    this.#connection.close();
  }

  // setImmediate runs after the turn's I/O callbacks, so that all requests read in this turn are in the queue.
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#commitGroup();
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  #commitGroup(): void {
    if (this.#queue.length === 0) return;
    const group = this.#queue.slice(0, this.#maxGroup);
    const { run, committed } = runSqliteGroup(this.#connection, group, this.#clock);
    this.#queue = this.#queue.slice(run);
    if (this.#connection.takeViewsFailed()) this.#remakeViews();
    if (committed === 0) return;
    if (this.#connection.takeFed()) this.#views?.noteCommit();
    this.#commits += 1;
    this.#scripts += committed;
  }

  /** Tells of a page that SQLite cannot use, and gives the error on. */
  #noted(error: unknown): unknown {
    if (isDamage(error)) this.#onDamage(causeOf(error).message);
    return error;
  }

  /** Commits of other processes become visible with the next turn of the event loop. */
  #dropStaleCacheOnceATurn(): void {
    if (this.#checkedThisTurn) return;
    try {
      this.#connection.dropCacheIfChanged();
    } catch (error) {
      throw sqliteFault(error);
    }
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
 * @param check may refuse a statement before it runs
 */
function runReading<T>(connection: SqliteConnection, script: Script<T>, check: (statement: Statement) => void): T {
  let begun = false;
  try {
    return pumpSync(script, (statement) => {
      check(statement);
      const known = connection.recall(statement);
      if (known !== undefined) return known;
      if (!begun) begin(connection);
      begun = true;
      return readRows(connection, statement);
    });
  } finally {
    if (begun) end(connection);
  }
}

/** Takes the snapshot as well, by a first query, which also finds commits of other processes. */
function begin(connection: SqliteConnection): void {
  try {
    connection.command('BEGIN');
    connection.dropCacheIfChanged();
  } catch (error) {
    throw unavailable(error);
  }
}

function end(connection: SqliteConnection): void {
  try {
    connection.command('COMMIT');
  } catch (error) {
    throw sqliteFault(error);
  }
}

function readRows(connection: SqliteConnection, statement: Statement): Result {
  try {
    return connection.executeReading(statement);
  } catch (error) {
    throw sqliteFault(error);
  }
}
