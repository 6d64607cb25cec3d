/** One commit of the embedded store: a group of scripts, each with a savepoint, from BEGIN to COMMIT in one go. */
import { sqliteFault, unavailable } from '../failure.ts';
import { pumpSync, type Waiting } from '../pump.ts';
import type { Result, Statement } from '../store.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/** Nothing else runs while a group does; after this long the rest waits for the next one. */
const MAX_GROUP_MS = 20;

interface GroupEnd {
  /** How many of the scripts were run, from the front; their promises are settled. */
  readonly taken: number;
  /** How many of them are on disk. */
  readonly committed: number;
}

/**
 * Runs scripts in one transaction and settles their promises once it is on disk. A script that throws is rolled
 * back alone; when the transaction itself fails, all of them are rejected as UNAVAILABLE and none has happened.
 * @param clock read for each script, while the transaction keeps other writers out
 */
export function runSqliteGroup(connection: SqliteConnection, group: readonly Waiting[], clock: () => number): GroupEnd {
  const started = performance.now();
  const settle: (() => void)[] = [];
  let committed = 0;
  try {
    connection.command('BEGIN IMMEDIATE');
    connection.dropCacheIfChanged();
    for (const waiting of group) {
      if (settle.length > 0 && performance.now() - started > MAX_GROUP_MS) break;
      const outcome = runOne(connection, waiting, clock(), group.length === 1);
      settle.push(outcome.settle);
      if (outcome.ok) committed += 1;
    }
    connection.command(committed > 0 ? 'COMMIT' : 'ROLLBACK');
  } catch (error) {
    // Where SQLite has rolled back by itself, what was read in the meantime may be of changes that never came to be.
    if (connection.inTransaction) rollBack(connection);
    else connection.dropCache();
    for (const waiting of group) waiting.reject(unavailable(error));
    return { taken: group.length, committed: 0 };
  }
  for (const each of settle) each();
  return { taken: settle.length, committed };
}

function runOne(
  connection: SqliteConnection,
  waiting: Waiting,
  now: number,
  alone: boolean,
): { readonly ok: boolean; readonly settle: () => void } {
  if (!alone) connection.command('SAVEPOINT script');
  try {
    const value = pumpSync(waiting.script(now), (statement) => execute(connection, statement));
    if (!connection.inTransaction) throw new Error('A script ended the transaction.');
    if (!alone) connection.command('RELEASE script');
    return { ok: true, settle: () => waiting.resolve(value) };
  } catch (error) {
    // On a full disk or an I/O error SQLite may have rolled everything back by itself.
    if (!connection.inTransaction) throw error;
    if (!alone) {
      connection.command('ROLLBACK TO script');
      connection.command('RELEASE script');
    }
    return { ok: false, settle: () => waiting.reject(error) };
  }
}

/** Must not throw: the promises of the group are still to be settled. */
function rollBack(connection: SqliteConnection): void {
  try {
    connection.command('ROLLBACK');
  } catch {
    // The transaction stays open, so the next BEGIN fails and says so to its callers.
  }
}

function execute(connection: SqliteConnection, statement: Statement): Result {
  try {
    return connection.execute(statement);
  } catch (error) {
    throw sqliteFault(error);
  }
}
