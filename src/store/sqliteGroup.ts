/** One commit of the embedded store: a group of scripts, from BEGIN to COMMIT in one go. */
import { sqliteFault, unavailable } from './failure.ts';
import { pumpSync, type Waiting } from './pump.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/** Nothing else runs while a group does; after this long the rest waits for the next one. */
const MAX_GROUP_MS = 20;

export interface GroupEnd {
  /** How many of the scripts were run, from the front; their promises are settled. */
  readonly taken: number;
  /** How many of them are on disk. */
  readonly committed: number;
}

/**
 * Runs scripts in one transaction and settles their promises once it is on disk. A script that throws is rolled
 * back alone; when the transaction itself fails, all of them are rejected as UNAVAILABLE and none has happened.
 *
 * Savepoints cost a copy of every page that each script touches, for the few scripts that throw after they wrote. So
 * the group runs without them, and when that happens once more, with them.
 */
export function runSqliteGroup(connection: SqliteConnection, group: readonly Waiting[]): GroupEnd {
  try {
    return runGroup(connection, group, bare) ?? (runGroup(connection, group, guarded) as GroupEnd);
  } catch (error) {
    // Where SQLite has rolled back by itself, what was read in the meantime may be of changes that never came to be.
    if (connection.inTransaction) rollBack(connection);
    else connection.forget();
    for (const waiting of group) waiting.reject(unavailable(error));
    return { taken: group.length, committed: 0 };
  }
}

interface Outcome {
  readonly ok: boolean;
  readonly settle: () => void;
}

/** @returns undefined when the outcome of a script is, and then nothing has happened */
function runGroup(
  connection: SqliteConnection,
  group: readonly Waiting[],
  runOne: (connection: SqliteConnection, waiting: Waiting) => Outcome | undefined,
): GroupEnd | undefined {
  const started = performance.now();
  const settle: (() => void)[] = [];
  let committed = 0;
  connection.command('BEGIN IMMEDIATE');
  connection.lookAround();
  for (const waiting of group) {
    if (settle.length > 0 && performance.now() - started > MAX_GROUP_MS) break;
    const outcome = runOne(connection, waiting);
    if (outcome === undefined) {
      connection.command('ROLLBACK');
      return undefined;
    }
    settle.push(outcome.settle);
    if (outcome.ok) committed += 1;
  }
  connection.command(committed > 0 ? 'COMMIT' : 'ROLLBACK');
  for (const each of settle) each();
  return { taken: settle.length, committed };
}

/** @returns undefined for a script that threw after it wrote: its changes cannot be told from those of the others */
function bare(connection: SqliteConnection, waiting: Waiting): Outcome | undefined {
  let wrote = false;
  try {
    const value = runScript(connection, waiting, () => {
      wrote = true;
    });
    return { ok: true, settle: () => waiting.resolve(value) };
  } catch (error) {
    // On a full disk or an I/O error SQLite may have rolled everything back by itself.
    if (!connection.inTransaction) throw error;
    return wrote ? undefined : { ok: false, settle: () => waiting.reject(error) };
  }
}

function guarded(connection: SqliteConnection, waiting: Waiting): Outcome {
  connection.command('SAVEPOINT script');
  try {
    const value = runScript(connection, waiting, () => {});
    connection.command('RELEASE script');
    return { ok: true, settle: () => waiting.resolve(value) };
  } catch (error) {
    if (!connection.inTransaction) throw error;
    connection.command('ROLLBACK TO script');
    connection.command('RELEASE script');
    return { ok: false, settle: () => waiting.reject(error) };
  }
}

function runScript(connection: SqliteConnection, waiting: Waiting, onWrite: () => void): unknown {
  const value = pumpSync(waiting.script(), (statement) => {
    try {
      const result = connection.execute(statement);
      if (result.wrote) onWrite();
      return result;
    } catch (error) {
      throw sqliteFault(error);
    }
  });
  if (!connection.inTransaction) throw new Error('A script ended the transaction.');
  return value;
}

/** Must not throw: the promises of the group are still to be settled. */
function rollBack(connection: SqliteConnection): void {
  try {
    connection.command('ROLLBACK');
  } catch {
    // The transaction stays open, so the next BEGIN fails and says so to its callers.
  }
}
