/** One SQLite connection, set for durability, with each SQL text prepared once. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { openDatabase } from './openDatabase.ts';
import type { Result, Statement } from './store.ts';

export interface SqliteResult extends Result {
  /** False only when the statement surely left everything as it was. */
  readonly wrote: boolean;
}

export interface SqliteConnection {
  readonly inTransaction: boolean;
  execute(statement: Statement): SqliteResult;
  /** As execute, but refuses a statement that could change anything. */
  executeReading(statement: Statement): SqliteResult;
  /** Runs a statement without arguments or rows, such as COMMIT. */
  command(sql: string): void;
  close(): void;
}

interface Prepared {
  readonly statement: Database.Statement;
  /** True when it returns rows. */
  readonly reader: boolean;
  readonly readonly: boolean;
  /** True when the number of changed rows says whether it changed anything; that of a table's making does not. */
  readonly counts: boolean;
}

const CHANGES_ROWS = /^\s*(INSERT|UPDATE|DELETE)\b/i;
const NO_ROWS: readonly unknown[] = [];

/**
 * Opens or makes the file (0600, in a folder of 0700: it holds credentials) and sets the connection up.
 * @param file a path, or `:memory:`
 */
export function connectSqlite(file: string): SqliteConnection {
  if (file !== ':memory:') makePrivate(file);
  const db = openDatabase(file);
  // Rows of some kilobytes: larger pages hold several of them, and fewer are written for each commit.
  db.pragma('page_size = 8192');
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 2000');
  // better-sqlite3 is compiled to sync less under WAL: a power cut could then take back what was acknowledged.
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // Savepoints keep the pages they may have to give back; beyond 64 KiB those would go to a temporary file.
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -65536');

  const prepared = new Map<string, Prepared>();
  function prepare(sql: string): Prepared {
    let known = prepared.get(sql);
    if (known === undefined) {
      const statement = db.prepare(sql);
      const { reader, readonly } = statement;
      known = { statement, reader, readonly, counts: CHANGES_ROWS.test(sql) };
      prepared.set(sql, known);
    }
    return known;
  }

  function execute({ sql, args }: Statement): SqliteResult {
    const { statement, reader, readonly, counts } = prepare(sql);
    const bound = args.map(exact);
    if (!reader) {
      const { changes } = statement.run(bound);
      return { rows: NO_ROWS, changes, wrote: !readonly && !(counts && changes === 0) };
    }
    const rows = statement.all(bound);
    for (const row of rows) checkIntegers(row as Record<string, unknown>, sql);
    return { rows, changes: readonly ? 0 : rows.length, wrote: !readonly };
  }

  return {
    get inTransaction() {
      return db.inTransaction;
    },
    execute,
    executeReading(statement) {
      if (prepare(statement.sql).readonly) return execute(statement);
      throw new Error(`A reading script may not write: ${statement.sql}`);
    },
    command: (sql) => {
      prepare(sql).statement.run();
    },
    close: () => {
      db.close();
    },
  };
}

function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** A number beyond 32 bits would be bound as a floating point value, which divides and prints otherwise. */
function exact(arg: string | number | null): string | number | bigint | null {
  return typeof arg === 'number' && (arg | 0) !== arg ? BigInt(arg) : arg;
}

function checkIntegers(row: Record<string, unknown>, sql: string): void {
  for (const column in row) {
    const value = row[column];
    // Numbers of 2^53 and more come rounded, so that none of them can be trusted.
    if (typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)) {
      throw new RangeError(`Column ${column} holds an integer beyond 2^53 - 1: ${sql}`);
    }
  }
}
