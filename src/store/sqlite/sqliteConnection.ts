/** One SQLite connection, set for durability, with each SQL text prepared once. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import type { Result, Statement, Value } from '../store.ts';
import { openDatabase } from './openDatabase.ts';
import { changedTable, rowCache } from './rowCache.ts';

export interface SqliteConnection {
  readonly inTransaction: boolean;
  execute(statement: Statement): Result;
  /** The answer to a statement that the row cache has. */
  recall(statement: Statement): Result | undefined;
  /** As execute, but refuses a statement that could change anything. */
  executeReading(statement: Statement): Result;
  /** Runs a statement without arguments or rows, such as COMMIT. */
  command(sql: string): void;
  /** Drops the cached rows if another connection has changed the file since the last call. */
  dropCacheIfChanged(): void;
  dropCache(): void;
  close(): void;
}

interface Prepared {
  readonly statement: Database.Statement;
  /** True when it returns rows. */
  readonly reader: boolean;
  readonly readonly: boolean;
  readonly columns: readonly string[];
  /** The table whose rows it changes, if it is such a statement. */
  readonly changes: string | undefined;
}

const NO_ROWS: readonly unknown[] = [];

/**
 * Opens or makes the file (0600, in a folder of 0700: it holds credentials) and sets the connection up.
 * @param file a path, or `:memory:`
 */
export function connectSqlite(file: string): SqliteConnection {
  const db = openPrivately(file);
  const cache = rowCache();
  const changedElsewhere = watchChanges(db);
  const prepare = statements(db);

  function recall(statement: Statement): Result | undefined {
    const { cachedTable } = statement;
    const rows = cachedTable === undefined ? undefined : cache.find(cachedTable, statement);
    return rows === undefined ? undefined : { rows, changes: 0 };
  }

  function execute(statement: Statement): Result {
    const known = recall(statement);
    if (known !== undefined) return known;
    const result = query(statement);
    if (statement.cachedTable !== undefined) cache.add(statement.cachedTable, statement, result.rows);
    return result;
  }

  function query({ sql, args }: Statement): Result {
    const { statement, reader, readonly, columns, changes: table } = prepare(sql);
    const bound = exactly(args);
    if (!reader) {
      const { changes } = statement.run(bound);
      // The number says nothing of a statement that makes a table, say.
      if (!readonly && (table === undefined || changes > 0)) cache.drop(table);
      return { rows: NO_ROWS, changes };
    }
    const rows = (statement.all(bound) as unknown[][]).map((values) => rowOf(columns, values, sql));
    if (!readonly) cache.drop(table);
    return { rows, changes: readonly ? 0 : rows.length };
  }

  return {
    get inTransaction() {
      return db.inTransaction;
    },
    execute,
    recall,
    executeReading(statement) {
      if (prepare(statement.sql).readonly) return execute(statement);
      throw new Error(`A reading script may not write: ${statement.sql}`);
    },
    command: (sql) => {
      // What was read since may have come from what is now taken back.
      if (sql.startsWith('ROLLBACK')) cache.drop();
      prepare(sql).statement.run();
    },
    dropCacheIfChanged() {
      if (changedElsewhere()) cache.drop();
    },
    dropCache: () => cache.drop(),
    close: () => {
      db.close();
    },
  };
}

/** A connection with the settings that everything here relies on, to a file that only this user can read. */
function openPrivately(file: string): ReturnType<typeof openDatabase> {
  if (file !== ':memory:') makePrivate(file);
  const db = openDatabase(file);
  // Rows of some kilobytes: larger pages hold several of them, and fewer are written for each commit.
  db.pragma('page_size = 8192');
  db.pragma('journal_mode = WAL');
  // 64 MiB: the pages that every commit touches again are then copied to the file less often.
  db.pragma('wal_autocheckpoint = 8000');
  // better-sqlite3 is compiled to sync less under WAL: a power cut could then take back what was acknowledged.
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // Savepoints keep the pages they may have to give back; beyond 64 KiB those would go to a temporary file.
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -65536');
  return db;
}

/** Tells whether another connection has committed since it was last asked. */
function watchChanges(db: ReturnType<typeof openDatabase>): () => boolean {
  const version = db.prepare('PRAGMA data_version').pluck();
  let seen: unknown;
  return () => {
    const found = version.get();
    const changed = found !== seen;
    seen = found;
    return changed;
  };
}

/** Prepares each text once. */
function statements(db: ReturnType<typeof openDatabase>): (sql: string) => Prepared {
  const prepared = new Map<string, Prepared>();
  return (sql) => {
    let known = prepared.get(sql);
    if (known === undefined) {
      const statement = db.prepare(sql);
      const { reader, readonly } = statement;
      const columns = reader ? statement.columns().map(({ name }) => name) : [];
      if (reader) statement.raw();
      known = { statement, reader, readonly, columns, changes: readonly ? undefined : changedTable(sql) };
      prepared.set(sql, known);
    }
    return known;
  };
}

function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** A number beyond 32 bits would be bound as a floating point value, which divides and prints otherwise. */
function exactly(args: readonly Value[]): readonly (Value | bigint)[] {
  let bound: (Value | bigint)[] | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (typeof arg !== 'number' || (arg | 0) === arg) continue;
    bound ??= [...args];
    bound[i] = BigInt(arg);
  }
  return bound ?? args;
}

/** The library makes objects member by member through its own interface, which takes twice as long. */
function rowOf(columns: readonly string[], values: readonly unknown[], sql: string): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) {
    const value = values[i];
    // Numbers of 2^53 and more come rounded, so that none of them can be trusted.
    if (typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)) {
      throw new RangeError(`Column ${columns[i]} holds an integer beyond 2^53 - 1: ${sql}`);
    }
    row[columns[i] as string] = value;
  }
  return row;
}
