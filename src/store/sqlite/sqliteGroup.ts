/** One commit on SQLite: a group of scripts from BEGIN to COMMIT without a pause. */
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
  let outcomes: readonly Outcome[];
  try {
    // SQLite keeps a copy of each page that changes after a savepoint, and scripts hardly ever fail after they wrote.
    const together = runOnce(connection, group, clock, false);
    outcomes = together ?? (runOnce(connection, group, clock, true) as readonly Outcome[]);
  } catch (error) {
    // SQLite may have rolled back by itself; cached rows may then be of changes that were undone.
    if (connection.inTransaction) rollBack(connection);
    else connection.dropCache();
    for (const queued of group) queued.reject(unavailable(error));
    return { run: group.length, committed: 0, settle: () => {} };
  }
  return {
    run: outcomes.length,
    committed: outcomes.filter(({ ok }) => ok).length,
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

/**
 * Runs scripts from BEGIN to COMMIT.
 * @param apart whether each has a savepoint, so that one that fails is undone alone
 * @returns the outcomes of those that there was time for; undefined where a script without a savepoint failed after it wrote:
 *   the whole group was rolled back then, since the others would have been undone with it
 */
function runOnce(
  connection: SqliteConnection,
  group: readonly QueuedScript[],
  clock: () => number,
  apart: boolean,
): readonly Outcome[] | undefined {
  const started = performance.now();
  const outcomes: Outcome[] = [];
  const execute = (statement: Statement) => executed(connection, statement);
  connection.command('BEGIN IMMEDIATE');
  connection.dropCacheIfChanged();
  for (const queued of group) {
    if (outcomes.length > 0 && performance.now() - started > MAX_GROUP_MS) break;
    const { writes } = connection;
    if (apart) connection.command('SAVEPOINT script');
    const outcome = runScript(connection, () => queued.script(clock()), execute);
    const leftWrites = !outcome.ok && connection.writes > writes;
    if (leftWrites && !apart && group.length > 1) {
      connection.command('ROLLBACK');
      return undefined;
    }
    if (leftWrites && apart) connection.command('ROLLBACK TO script');
    if (apart) connection.command('RELEASE script');
    outcomes.push(outcome);
  }
  connection.command(outcomes.some(({ ok }) => ok) ? 'COMMIT' : 'ROLLBACK');
  return outcomes;
}

function runScript(connection: SqliteConnection, script: () => Script<unknown>, execute: Execute): Outcome {
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
