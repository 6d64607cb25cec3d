/** One commit on SQLite: a group of scripts, each with a savepoint, from BEGIN to COMMIT without a pause. */
import { outcomeUnknown, sqliteFault, unavailable } from '../failure.ts';
import { pumpSync, type QueuedScript } from '../pump.ts';
import type { Result, Statement } from '../store.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/** Nothing else runs while a group runs; after this time the other scripts wait for the next group. */
const MAX_GROUP_MS = 20;

interface GroupEnd {
  /** How many of the scripts were run, from the first. */
  readonly run: number;
  /** How many of them were committed. */
  readonly committed: number;
  /** Settles their promises. @param failure why the commit could not be synced */
  readonly settle: (failure?: Error) => void;
}

/**
 * Runs scripts in one transaction. A script that throws is rolled back alone; when the transaction itself fails, all are
 * rejected as UNAVAILABLE at once and none has had an effect.
 * @param clock read for each script, while the transaction excludes other writers
 */
export function runSqliteGroup(
  connection: SqliteConnection,
  group: readonly QueuedScript[],
  clock: () => number,
): GroupEnd {
  const started = performance.now();
  const settle: (() => void)[] = [];
  let committed = 0;
  try {
    connection.command('BEGIN IMMEDIATE');
    connection.dropCacheIfChanged();
    for (const queued of group) {
      if (settle.length > 0 && performance.now() - started > MAX_GROUP_MS) break;
      const outcome = runOne(connection, queued, clock(), group.length === 1);
      settle.push(outcome.settle);
      if (outcome.ok) committed += 1;
    }
    connection.command(committed > 0 ? 'COMMIT' : 'ROLLBACK');
  } catch (error) {
    // SQLite may have rolled back by itself; cached rows may then be of changes that were undone.
    if (connection.inTransaction) rollBack(connection);
    else connection.dropCache();
    for (const queued of group) queued.reject(unavailable(error));
    return { run: group.length, committed: 0, settle: () => {} };
  }
  return {
    run: settle.length,
    committed,
    settle(failure) {
      if (failure === undefined) for (const each of settle) each();
      else for (const queued of group.slice(0, settle.length)) queued.reject(outcomeUnknown(failure));
    },
  };
}

function runOne(
  connection: SqliteConnection,
  queued: QueuedScript,
  now: number,
  alone: boolean,
): { readonly ok: boolean; readonly settle: () => void } {
  if (!alone) connection.command('SAVEPOINT script');
  try {
    const value = pumpSync(queued.script(now), (statement) => execute(connection, statement));
    if (!connection.inTransaction) throw new Error('A script ended the transaction.');
    if (!alone) connection.command('RELEASE script');
    return { ok: true, settle: () => queued.resolve(value) };
  } catch (error) {
    // On a full disk or an I/O error SQLite may have rolled back the whole transaction.
    if (!connection.inTransaction) throw error;
    if (!alone) {
      connection.command('ROLLBACK TO script');
      connection.command('RELEASE script');
    }
    return { ok: false, settle: () => queued.reject(error) };
  }
}

/** Does not throw, since the promises of the group must be settled afterwards. */
function rollBack(connection: SqliteConnection): void {
  try {
    connection.command('ROLLBACK');
  } catch {
    // The transaction stays open, so the next BEGIN fails and its callers learn of it.
  }
}

function execute(connection: SqliteConnection, statement: Statement): Result {
  try {
    return connection.execute(statement);
  } catch (error) {
    throw sqliteFault(error);
  }
}
