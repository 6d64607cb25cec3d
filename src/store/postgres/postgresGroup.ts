/** One transaction on PostgreSQL: scripts of one tenant, in order, under that tenant's lock. */
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { pump, type QueuedScript } from '../pump.ts';
import type { Reader, Script, TimedScript } from '../store.ts';
import { endOf, execute } from './postgresConnection.ts';
import { isConflict, isConnectionLoss, postgresFault } from './postgresFailure.ts';

/** The whole transaction failed. Its scripts have had no effect, unless the connection was lost at the commit. */
export class GroupFailure extends Error {
  override readonly name = 'GroupFailure';
  readonly atCommit: boolean;

  constructor(cause: unknown, atCommit: boolean) {
    super('The transaction failed.', { cause });
    this.atCommit = atCommit;
  }
}

/** What a store gives those who run its scripts. */
export interface Around {
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

/** The advisory lock of a tenant: the first 64 bits of a SHA-256, as the signed number that PostgreSQL takes. */
export function lockOf(tenantId: string): bigint {
  return createHash('sha256').update(tenantId).digest().readBigInt64BE();
}

/**
 * Runs scripts one after the other in one transaction. READ COMMITTED is enough: the lock excludes other writers of the
 * tenant, and each statement sees what they committed before.
 * @param around its clock is read for each script, once the lock is held
 * @throws GroupFailure; the state of the connection is then unknown
 */
export async function runGroup(
  client: PoolClient,
  lock: bigint,
  group: readonly QueuedScript[],
  around: Around,
): Promise<GroupEnd> {
  const pipeline = new Pipeline(client, around.counts);
  const settle: (() => void)[] = [];
  let committed = 0;
  // Awaited, since a script receives a time that is read once the lock is held.
  await pipeline.sendNow('BEGIN', `SELECT pg_advisory_xact_lock(${lock})`);
  for (const queued of group) {
    const alone = group.length === 1;
    if (!alone) pipeline.add('SAVEPOINT script');
    try {
      const value = await pipeline.run(queued.script(around.clock()));
      if (!alone) pipeline.add('RELEASE SAVEPOINT script');
      settle.push(() => queued.resolve(value));
      committed += 1;
    } catch (error) {
      if (pipeline.failure !== undefined) throw new GroupFailure(pipeline.failure, false);
      if (!alone) pipeline.add('ROLLBACK TO SAVEPOINT script', 'RELEASE SAVEPOINT script');
      settle.push(() => queued.reject(error));
    }
  }
  await pipeline.end(committed > 0 ? 'COMMIT' : 'ROLLBACK');
  return { settle, committed };
}

/**
 * Runs a script on one snapshot. The transaction ends after the answer, before the next use of the connection.
 * @throws what the script throws, or GroupFailure
 */
export async function runReading<T>(client: PoolClient, script: TimedScript<T>, around: Around): Promise<T> {
  const pipeline = new Pipeline(client, around.counts);
  pipeline.add('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await pipeline.run(script(around.clock()));
  } catch (error) {
    throw pipeline.failure === undefined ? error : new GroupFailure(pipeline.failure, false);
  } finally {
    pipeline.abandon();
  }
}

/** Reads in as many scripts as the work needs, on one snapshot. @throws what the work throws, or Fault UNAVAILABLE */
export async function onOneSnapshot<T>(
  pool: Pool,
  { clock, counts }: Around,
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
      pump(script(clock()), async (statement) => {
        try {
          counts();
          return await execute(client, statement);
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

/** Sends commands together with the next statement, which saves a round trip each; their errors are reported with it. */
class Pipeline {
  /** The error that failed the whole transaction, not just one script. */
  failure: unknown;
  #commands: string[] = [];
  readonly #client: PoolClient;
  readonly #counts: () => void;

  constructor(client: PoolClient, counts: () => void) {
    this.#client = client;
    this.#counts = counts;
  }

  add(...commands: string[]): void {
    this.#commands.push(...commands);
  }

  /** @throws GroupFailure */
  async sendNow(...commands: string[]): Promise<void> {
    this.add(...commands);
    await this.#flush();
    if (this.failure !== undefined) throw new GroupFailure(this.failure, false);
  }

  run<T>(script: Script<T>): Promise<T> {
    return pump(script, async (statement) => {
      const flushed = this.#flush();
      this.#counts();
      // Both are awaited together, so that no rejection is unhandled.
      const [answer] = await Promise.allSettled([execute(this.#client, statement), flushed]);
      if (answer.status === 'fulfilled' && this.failure === undefined) return answer.value;
      const error = answer.status === 'rejected' ? (endOf(this.#client) ?? answer.reason) : this.failure;
      if (isConflict(error) || isConnectionLoss(error)) this.failure ??= error;
      throw postgresFault(this.failure ?? error);
    });
  }

  async end(command: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const flushed = this.#flush();
    const [answer] = await Promise.allSettled([this.#client.query(command), flushed]);
    if (answer.status === 'rejected') {
      // Where the server had ended the transaction before, it is known that nothing was committed.
      const cause = endOf(this.#client) ?? this.failure ?? answer.reason;
      throw new GroupFailure(cause, command === 'COMMIT');
    }
    // The server answers COMMIT with ROLLBACK when the transaction had failed before.
    if (answer.value.command !== command || this.failure !== undefined) {
      throw new GroupFailure(this.failure ?? new Error('The server rolled the transaction back.'), false);
    }
  }

  /** Ends the transaction without waiting; the connection executes this before anything else. */
  abandon(): void {
    this.add('ROLLBACK');
    void this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#commands.length === 0) return;
    const commands = this.#commands.join('; ');
    this.#commands = [];
    await this.#client.query(commands).catch((error: unknown) => {
      this.failure ??= endOf(this.#client) ?? error;
    });
  }
}
