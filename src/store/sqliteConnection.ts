/** One SQLite connection, set for durability, with each SQL text prepared once. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { openDatabase } from './openDatabase.ts';
import type { Result, Statement } from './store.ts';

export interface SqliteConnection {
  readonly inTransaction: boolean;
  execute(statement: Statement): Result;
  /** As execute, but refuses a statement that could change anything. */
  executeReading(statement: Statement): Result;
  /** Runs a statement without arguments or rows, such as COMMIT. */
  command(sql: string): void;
  close(): void;
}

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

  const prepared = new Map<string, Database.Statement>();
  function prepare(sql: string): Database.Statement {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  }

  function execute({ sql, args }: Statement): Result {
    const statement = prepare(sql);
    const bound = args.map(exact);
    if (!statement.reader) return { rows: [], changes: statement.run(bound).changes };
    const rows = statement.all(bound);
    for (const row of rows) checkIntegers(row as Record<string, unknown>, sql);
    return { rows, changes: statement.readonly ? 0 : rows.length };
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
      prepare(sql).run();
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
