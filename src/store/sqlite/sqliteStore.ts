/** The embedded store: one SQLite file, one connection, and one commit for all the scripts of an event-loop turn. */
import { closedStore, sqliteFault, unavailable } from '../failure.ts';
import { pumpSync, type Waiting } from '../pump.ts';
import type { Result, Script, Statement, Store, TimedScript } from '../store.ts';
import { connectSqlite, type SqliteConnection } from './sqliteConnection.ts';
import { runSqliteGroup } from './sqliteGroup.ts';

/** For work in which no row gets a time. */
export const NO_CLOCK = (): number => 0;

/**
 * Opens the store.
 * @param file the database file, made with its folder when missing, or `:memory:`
 * @param clock milliseconds since the epoch
 * @param options.maxGroup most scripts in one commit
 * @throws when the file cannot be opened as a database
 */
export function openSqlite(file: string, clock: () => number, options: { readonly maxGroup?: number } = {}): Store {
  const connection = connectSqlite(file);
  const maxGroup = options.maxGroup ?? 64;
  let queue: Waiting[] = [];
  let scheduled = false;
  let closed = false;
  let checkedThisTurn = false;
  let commits = 0;
  let scripts = 0;

  // The check phase comes after the turn's I/O callbacks, so that all requests read in this turn are in the queue.
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      commitGroup();
      if (queue.length > 0) schedule();
    });
  }

  /** What other processes commit while this one is in the middle of a turn is seen in the next. */
  function dropStaleCacheOnceATurn(): void {
    if (checkedThisTurn) return;
    try {
      connection.dropCacheIfChanged();
    } catch (error) {
      throw sqliteFault(error);
    }
    checkedThisTurn = true;
    setImmediate(() => {
      checkedThisTurn = false;
    });
  }

  function commitGroup(): void {
    if (queue.length === 0) return;
    const group = queue.slice(0, maxGroup);
    const { taken, committed } = runSqliteGroup(connection, group, clock);
    queue = queue.slice(taken);
    if (committed === 0) return;
    commits += 1;
    scripts += committed;
  }

  return {
    engine: 'sqlite',
    write<T>(_tenantId: string, script: TimedScript<T>): Promise<T> {
      if (closed) return Promise.reject(closedStore());
      return new Promise<T>((resolve, reject) => {
        queue.push({ script, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      });
    },
    async read(script) {
      if (closed) throw closedStore();
      if (connection.inTransaction) throw new Error('A script cannot read the store other than by its statements.');
      dropStaleCacheOnceATurn();
      return runReading(connection, script(clock()));
    },
    stats: () => ({ commits, scripts }),
    async close() {
      if (closed) return;
      closed = true;
      while (queue.length > 0) commitGroup();
      connection.close();
    },
  };
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

function begin(connection: SqliteConnection): void {
  try {
    connection.command('BEGIN');
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
