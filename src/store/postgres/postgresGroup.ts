/** One transaction on PostgreSQL: scripts of one tenant, in order, under that tenant's lock. */
import type { Pool, PoolClient } from 'pg';
import { pump, type QueuedScript } from '../pump.ts';
import type { Reader, Statement, TimedScript } from '../store.ts';
import { QueryPipeline, UnreadFailure } from './pipeline.ts';
import { execute } from './postgresConnection.ts';
import { postgresFault } from './postgresFailure.ts';
import { taking } from './tenantLock.ts';

/** What a store gives those who run its scripts. */
export interface GroupContext {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called for each statement. */
  readonly counts: () => void;
}

interface GroupEnd {
  /** Settle the scripts' promises, once the commit is done. */
  readonly settle: readonly (() => void)[];
  /** How many scripts the commit contains. */
  readonly committed: number;
}

/** Takes those who wait into the group, as far as it has places. @returns the group, which is one and the same each time */
type Gather = () => readonly QueuedScript[];

/**
 * Runs scripts one after the other in one transaction. READ COMMITTED is enough: the lock excludes other writers of the
 * tenant, and each statement sees what they committed before.
 * @param gather is called once more when the lock is held: scripts that came meanwhile need not wait for it again
 * @param around its clock is read for each script, once the lock is held
 * @throws GroupFailure; the state of the connection is then unknown
 */
export async function runGroup(
  client: PoolClient,
  lock: bigint,
  gather: Gather,
  around: GroupContext,
): Promise<GroupEnd> {
  // Said each time: where the server or its user has another default, a statement would not see what was committed before.
  const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; ${taking(lock)}`;
  try {
    return await runInOrder(new QueryPipeline(client, around.counts, false), begin, gather, around);
  } catch (error) {
    if (!(error instanceof UnreadFailure)) throw error;
    // The script whose statement failed is to learn of it, and no other one.
    return await runInOrder(new QueryPipeline(client, around.counts, true), `ROLLBACK; ${begin}`, gather, around);
  }
}

async function runInOrder(
  pipeline: QueryPipeline,
  begin: string,
  gather: Gather,
  { clock }: GroupContext,
): Promise<GroupEnd> {
  const settle: (() => void)[] = [];
  let committed = 0;
  const group = gather();
  const early = group.length;
  pipeline.add(begin);
  await pipeline.begin(loadsOf(group));
  await pipeline.load(loadsOf(gather().slice(early)));
  const alone = group.length === 1;
  for (const queued of group) {
    if (!alone) pipeline.add('SAVEPOINT script');
    await pipeline.load(loadsOf([queued]));
    try {
      const value = await pipeline.run(queued.script(clock()));
      if (!alone) pipeline.add('RELEASE SAVEPOINT script');
      settle.push(() => queued.resolve(value));
      committed += 1;
    } catch (error) {
      await pipeline.settle();
      if (!alone) pipeline.takeBack();
      settle.push(() => queued.reject(error));
    }
    // What it has sent leaves now, and the server works on that beside the next script.
    if (!alone) await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  await pipeline.end(committed > 0 ? 'COMMIT' : 'ROLLBACK');
  return { settle, committed };
}

function loadsOf(group: readonly QueuedScript[]): Statement[] {
  return group.flatMap(({ load }) => load ?? []);
}

/**
 * Runs a script on one snapshot. The transaction ends after the answer, before the next use of the connection.
 * @throws what the script throws, or GroupFailure
 */
export async function runReading<T>(client: PoolClient, script: TimedScript<T>, around: GroupContext): Promise<T> {
  const pipeline = new QueryPipeline(client, around.counts, true);
  pipeline.add('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await pipeline.run(script(around.clock()));
  } catch (error) {
    await pipeline.settle();
    throw error;
  } finally {
    pipeline.abandon();
  }
}

/** Reads in as many scripts as the work needs, on one snapshot. @throws what the work throws, or Fault UNAVAILABLE */
export async function onOneSnapshot<T>(
  pool: Pool,
  { clock, counts }: GroupContext,
  work: (snapshot: Reader) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw postgresFault(error);
  });
  try {
    // Between two scripts the work may do something else for as long as it needs, such as writing into another database.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // The snapshot is that of the first query.
    await client.query('SELECT 1');
    const read = <Value>(script: TimedScript<Value>) =>
      pump(script(clock()), async (statements) => {
        try {
          for (const _ of statements) counts();
          return await Promise.all(statements.map((statement) => execute(client, statement)));
        } catch (error) {
          throw postgresFault(error);
        }
      });
    return await work({ engine: 'postgres', read });
  } finally {
    // The connection ends with its transaction, which may have failed.
    client.release(true);
  }
}
