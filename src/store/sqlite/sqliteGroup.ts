/** One commit on SQLite: a group of scripts, each with a savepoint, from BEGIN to COMMIT without a pause. */
import { outcomeUnknown, sqliteFault, unavailable } from '../failure.ts';
import { pumpSync, type QueuedScript } from '../pump.ts';
import type { Result, Script, Statement } from '../store.ts';
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
  const outcomes: Outcome[] = [];
  const execute = (statement: Statement) => executed(connection, statement);
  let committed = 0;
  try {
    connection.command('BEGIN IMMEDIATE');
    connection.dropCacheIfChanged();
    for (const queued of group) {
      if (outcomes.length > 0 && performance.now() - started > MAX_GROUP_MS) break;
      const script = () => queued.script(clock());
      const outcome = group.length === 1 ? runAlone(connection, script, execute) : runOne(connection, script, execute);
      outcomes.push(outcome);
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
    run: outcomes.length,
    committed,
    settle(failure) {
      outcomes.forEach(({ ok, given }, index) => {
        const { resolve, reject } = group[index] as QueuedScript;
        if (failure !== undefined) reject(outcomeUnknown(failure));
        else if (ok) resolve(given);
        else reject(given);
      });
    },
  };
}

/** What a script gave, or threw. */
interface Outcome {
  readonly ok: boolean;
  readonly given: unknown;
}

type Execute = (statement: Statement) => Result;

/** A script that shares its transaction with others. */
function runOne(connection: SqliteConnection, script: () => Script<unknown>, execute: Execute): Outcome {
  connection.command('SAVEPOINT script');
  const outcome = runAlone(connection, script, execute);
  if (!outcome.ok) connection.command('ROLLBACK TO script');
  connection.command('RELEASE script');
  return outcome;
}

function runAlone(connection: SqliteConnection, script: () => Script<unknown>, execute: Execute): Outcome {
  try {
    const given = pumpSync(script(), execute);
    if (!connection.inTransaction) throw new Error('A script ended the transaction.');
    return { ok: true, given };
  } catch (error) {
    // On a full disk or an I/O error SQLite may have rolled back the whole transaction.
    if (!connection.inTransaction) throw error;
    return { ok: false, given: error };
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

function executed(connection: SqliteConnection, statement: Statement): Result {
  try {
    return connection.execute(statement);
  } catch (error) {
    throw sqliteFault(error);
  }
}
