/** One commit on SQLite: a group of scripts from BEGIN to COMMIT without a pause. */
import { codeOf, outcomeUnknown, sqliteFault, unavailable } from '../failure.ts';
import { pumpSync, type QueuedScript } from '../pump.ts';
import type { Result, Script, Statement } from '../store.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/** Nothing else runs while a group runs; after this time the other scripts wait for the next group. */
const MAX_GROUP_MS = 20;
/** The whole commit is in the log, and it is not known whether it is on disk: where the process ends now, the next opening may find it. */
const SYNC_FAILURE = /^SQLITE_IOERR/;

interface GroupEnd {
  /** How many of the scripts were run, from the first. */
  readonly run: number;
  /** How many of them were committed. */
  readonly committed: number;
}

/**
 * Runs scripts in one transaction, and settles their promises once it is committed, which is on disk. A script that throws is
 * rolled back alone; when the transaction itself fails, all are rejected as UNAVAILABLE.
 * @param clock read for each script, while the transaction excludes other writers
 */
export function runSqliteGroup(
  connection: SqliteConnection,
  group: readonly QueuedScript[],
  clock: () => number,
): GroupEnd {
  let isCommitting = false;
  try {
    // SQLite keeps a copy of each page that changes after a savepoint, and scripts hardly ever fail after they wrote.
    const together = runOnce(connection, group, clock, false);
    const outcomes = together ?? (runOnce(connection, group, clock, true) as readonly Outcome[]);
    isCommitting = true;
    connection.command(outcomes.some(({ ok }) => ok) ? 'COMMIT' : 'ROLLBACK');
    for (const [index, { ok, given }] of outcomes.entries()) {
      const { resolve, reject } = group[index] as QueuedScript;
      if (ok) resolve(given);
      else reject(given);
    }
    return { run: outcomes.length, committed: outcomes.filter(({ ok }) => ok).length };
  } catch (error) {
    // SQLite may have rolled back by itself; cached rows may then be of changes that were undone.
    if (connection.inTransaction) rollBack(connection);
    else connection.dropCache();
    const isUnknown = isCommitting && SYNC_FAILURE.test(codeOf(error) ?? '');
    for (const queued of group) queued.reject(isUnknown ? outcomeUnknown(error) : unavailable(error));
    return { run: group.length, committed: 0 };
  }
}

/** What a script gave, or threw. */
interface Outcome {
  readonly ok: boolean;
  readonly given: unknown;
}

type Execute = (statement: Statement) => Result;

/**
 * Runs scripts in a transaction that it begins, and that its caller commits.
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
  connection.beginWriting();
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
