/** One SQLite connection, configured for durability, which prepares each SQL text once. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { isDamage } from '../failure.ts';
import type { Result, Statement, Value } from '../store.ts';
import { VIEWS } from '../views/views.ts';
import { leaveWalMode } from './copyDatabase.ts';
import { openDatabase, openToRead } from './openDatabase.ts';
import { changedTable, rowCache } from './rowCache.ts';
import { viewsSetup } from './viewsFile.ts';

interface PreparedStatement {
  readonly statement: Database.Statement;
  /** True when it returns rows. */
  readonly reader: boolean;
  readonly readonly: boolean;
  readonly columns: readonly string[];
  /**
   * Builds a row, since the library creates objects member by member through the native interface at twice the cost. It is
   * compiled for the first row: many statements of a start find none.
   */
  rowOf: ((values: readonly unknown[]) => unknown) | undefined;
  /** The table whose rows it changes; undefined for a query and where its text does not say. */
  readonly changes: string | undefined;
  /** Whether it changes what views are of. */
  readonly feedsViews: boolean;
  /** Whether it reads a view. */
  readonly readsViews: boolean;
}

const VIEW_SOURCES: ReadonlySet<string> = new Set(VIEWS.map(({ source }) => source));

const NO_ROWS: readonly unknown[] = [];
/**
 * Eight times SQLite's own number, which is a log of 64 MiB: a page that many commits change is copied once for all of them, and
 * the commits that copy are rarer and longer.
 */
const CHECKPOINT_FRAMES = 8000;

interface ConnectionOptions {
  /** Whether to read an existing file only, and to configure nothing. */
  readonly unchanged?: boolean | undefined;
  /** With how many frames a commit copies the write-ahead log into the database. */
  readonly checkpointAt?: number | undefined;
}

export class SqliteConnection {
  readonly #db: Database.Database;
  readonly #cache = rowCache();
  readonly #prepared = new Map<string, PreparedStatement>();
  readonly #version: Database.Statement;
  readonly #file: string;
  #seenVersion: unknown;
  #statements = 0;
  #writes = 0;
  #hasViews = false;
  #feedsViews = false;
  #viewsFailed = false;

  /**
   * Opens or creates the file (0600, in a folder of 0700: it holds credentials) and configures the connection.
   * @param file a path, or `:memory:`
   */
  constructor(file: string, { unchanged = false, checkpointAt = CHECKPOINT_FRAMES }: ConnectionOptions) {
    if (!unchanged && file !== ':memory:') {
      makePrivate(file);
      mergeLog(file);
    }
    this.#db = unchanged ? openToRead(file) : openDatabase(file);
    if (!unchanged) configure(this.#db, checkpointAt);
    this.#file = file;
    this.#version = this.#db.prepare('PRAGMA data_version').pluck();
  }

  /** Run so far. */
  get statements(): number {
    return this.#statements;
  }

  /** Statements so far that changed rows, or what the row cache has of them. */
  get writes(): number {
    return this.#writes;
  }

  get inTransaction(): boolean {
    return this.#db.inTransaction;
  }

  /** Whether it reads views from the file beside the database. */
  get hasViews(): boolean {
    return this.#hasViews;
  }

  /** Reads views from the file beside the database, which must be there. */
  attachViews(): void {
    for (const sql of viewsSetup(this.#file)) this.#db.exec(sql);
    this.#hasViews = true;
  }

  /** Reads views from the ledger, and lets the file be removed. */
  detachViews(): void {
    for (const { name } of VIEWS) this.#db.exec(`DROP VIEW IF EXISTS temp.${name}`);
    this.#db.exec('DETACH views');
    this.#hasViews = false;
  }

  /** Whether a statement has changed what views are of since the last call. */
  takeFed(): boolean {
    const isFed = this.#feedsViews;
    this.#feedsViews = false;
    return isFed;
  }

  /** Whether a statement since the last call met a page that SQLite cannot use, in a view or in what is read with it. */
  takeViewsFailed(): boolean {
    const hasFailed = this.#viewsFailed;
    this.#viewsFailed = false;
    return hasFailed;
  }

  /** Whether a statement reads a view. */
  readsViews({ sql }: Statement): boolean {
    return this.#prepare(sql).readsViews;
  }

  /** Begins a transaction that excludes other writers of the database. */
  beginWriting(): void {
    if (!this.#hasViews) {
      this.command('BEGIN IMMEDIATE');
      return;
    }
    // IMMEDIATE would wait for the writer of the views as well.
    this.command('BEGIN');
    this.command('DELETE FROM settings WHERE FALSE');
  }

  execute(statement: Statement): Result {
    if (statement.known !== undefined) return this.#put(statement, statement.known);
    const known = this.recall(statement);
    if (known !== undefined) return known;
    const result = this.#query(statement);
    this.#cache.add(statement, result.rows);
    return result;
  }

  /** The answer to a statement that the row cache has. */
  recall(statement: Statement): Result | undefined {
    return this.#cache.find(statement);
  }

  /** As execute, but refuses a statement that could change anything. */
  executeReading(statement: Statement): Result {
    if (this.#prepare(statement.sql).readonly) return this.execute(statement);
    throw new Error(`A reading script may not write: ${statement.sql}`);
  }

  /** Runs a statement without arguments or rows, such as COMMIT. */
  command(sql: string): void {
    // Cached rows may be of changes that are undone now.
    if (sql.startsWith('ROLLBACK')) this.#cache.drop();
    this.#prepare(sql).statement.run();
  }

  /** Drops the cached rows if another connection has changed the file since the last call. */
  dropCacheIfChanged(): void {
    const found = this.#version.get();
    if (found === this.#seenVersion) return;
    this.#cache.drop();
    this.#seenVersion = found;
  }

  dropCache(): void {
    this.#cache.drop();
  }

  close(): void {
    this.#db.close();
  }

  #put(statement: Statement, rows: readonly unknown[]): Result {
    this.#writes += 1;
    this.#cache.add(statement, rows);
    return { rows: NO_ROWS, changes: 0 };
  }

  #query({ sql, args, row }: Statement): Result {
    const prepared = this.#prepare(sql);
    this.#statements += 1;
    try {
      return this.#run(prepared, bindable(args), sql, row);
    } catch (error) {
      if (prepared.readsViews && this.#hasViews && isDamage(error)) this.#viewsFailed = true;
      throw error;
    }
  }

  #run(prepared: PreparedStatement, bound: ReturnType<typeof bindable>, sql: string, row: Statement['row']): Result {
    const { statement, reader, readonly, columns, changes: table } = prepared;
    if (!reader) {
      const { changes } = statement.run(bound);
      // The number of changes means nothing for other statements, such as CREATE TABLE.
      if (!readonly && (table === undefined || changes > 0)) this.#wrote(prepared, row);
      return { rows: NO_ROWS, changes };
    }
    const rows: unknown[] = statement.all(bound);
    if (rows.length > 0) {
      prepared.rowOf ??= rowMaker(columns);
      for (let i = 0; i < rows.length; i++) {
        const values = rows[i] as readonly unknown[];
        refuseRounded(columns, values, sql);
        rows[i] = prepared.rowOf(values);
      }
    }
    if (!readonly && (table === undefined || rows.length > 0)) this.#wrote(prepared, row);
    return { rows, changes: readonly ? 0 : rows.length };
  }

  #wrote({ changes: table, feedsViews }: PreparedStatement, row: Statement['row']): void {
    this.#cache.drop(table, row);
    this.#writes += 1;
    if (feedsViews) this.#feedsViews = true;
  }

  #prepare(sql: string): PreparedStatement {
    let known = this.#prepared.get(sql);
    if (known === undefined) {
      const statement = this.#db.prepare(sql);
      const { reader, readonly } = statement;
      const columns = reader ? statement.columns().map(({ name }) => name) : [];
      if (reader) statement.raw();
      const changes = readonly ? undefined : changedTable(sql);
      const feedsViews = changes !== undefined && VIEW_SOURCES.has(changes);
      const readsViews = VIEWS.some(({ name }) => sql.includes(name));
      known = { statement, reader, readonly, columns, rowOf: undefined, changes, feedsViews, readsViews };
      this.#prepared.set(sql, known);
    }
    return known;
  }
}

function configure(db: Database.Database, checkpointAt: number): void {
  // Rows have some kilobytes: larger pages hold several of them, so each commit writes fewer pages.
  db.pragma('page_size = 8192');
  db.pragma('journal_mode = WAL');
  db.pragma(`wal_autocheckpoint = ${checkpointAt}`);
  // A commit is on disk when it returns, and others see it only then.
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // Savepoints keep the pages they may have to restore; beyond 64 KiB those would go to a temporary file.
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -16384');
}

/**
 * A log that is there already is of a process that was killed: its last commit may be in memory only, and after a sync that
 * failed the kernel takes it for written (https://wiki.postgresql.org/wiki/Fsync_Errors). SQLite reads the log by its checksums
 * and writes it into the database. Where other processes have the file open, the first of them has done that.
 */
function mergeLog(file: string): void {
  if (existsSync(`${file}-wal`)) leaveWalMode(file);
}

function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** Numbers from 2^53 on arrive rounded. */
function refuseRounded(columns: readonly string[], values: readonly unknown[], sql: string): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)) {
      throw new RangeError(`Column ${columns[i]} holds an integer beyond 2^53 - 1: ${sql}`);
    }
  }
}

/**
 * It compiles a function for each statement: a row that gets its members one after the other is copied as it grows, and one
 * with many of them ends as a table of names.
 */
function rowMaker(columns: readonly string[]): NonNullable<PreparedStatement['rowOf']> {
  const members = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return { ${members.join(', ')} };`) as NonNullable<PreparedStatement['rowOf']>;
}

/** Numbers beyond 32 bits as bigint, since they would be bound as floating point, which SQL divides and prints differently. */
export function bindable(args: readonly Value[]): readonly (Value | bigint)[] {
  let bound: (Value | bigint)[] | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (typeof arg !== 'number' || (arg | 0) === arg) continue;
    bound ??= [...args];
    bound[i] = BigInt(arg);
  }
  return bound ?? args;
}
