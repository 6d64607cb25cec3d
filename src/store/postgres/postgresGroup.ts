/** One transaction on PostgreSQL: scripts of one tenant, in order, behind that tenant's lock. */
import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { pump, type Waiting } from '../pump.ts';
import type { Script, TimedScript } from '../store.ts';
import { execute } from './postgresConnection.ts';
import { isConflict, isConnectionLoss, postgresFault } from './postgresFailure.ts';

/** The transaction as a whole failed; its scripts have had no effect, unless `atCommit` and the connection was lost. */
export class GroupFailure extends Error {
  override readonly name = 'GroupFailure';
  readonly atCommit: boolean;

  constructor(cause: unknown, atCommit: boolean) {
    super('The transaction failed.', { cause });
    this.atCommit = atCommit;
  }
}

/** What became of each script, to be told once the commit is through. */
interface GroupEnd {
  readonly settle: readonly (() => void)[];
  /** How many scripts the commit carried. */
  readonly committed: number;
}

/** The advisory lock of a tenant: the first 64 bits of a SHA-256, as the signed number PostgreSQL takes. */
export function lockOf(tenantId: string): bigint {
  return createHash('sha256').update(tenantId).digest().readBigInt64BE();
}

/**
 * Runs scripts one after the other in one transaction. READ COMMITTED is enough: the lock keeps other writers of the
 * tenant out, and each statement sees what they committed before it was got.
 * @param clock read for each script, once the lock is held
 * @throws GroupFailure; the connection is then in no known state
 */
export async function runGroup(
  client: PoolClient,
  lock: bigint,
  group: readonly Waiting[],
  clock: () => number,
): Promise<GroupEnd> {
  const line = new Line(client);
  const settle: (() => void)[] = [];
  let committed = 0;
  // Awaited, since a script may read its time only behind the lock.
  await line.sent('BEGIN', `SELECT pg_advisory_xact_lock(${lock})`);
  for (const waiting of group) {
    const alone = group.length === 1;
    if (!alone) line.send('SAVEPOINT script');
    try {
      const value = await line.run(waiting.script(clock()));
      if (!alone) line.send('RELEASE SAVEPOINT script');
      settle.push(() => waiting.resolve(value));
      committed += 1;
    } catch (error) {
      if (line.failure !== undefined) throw new GroupFailure(line.failure, false);
      if (!alone) line.send('ROLLBACK TO SAVEPOINT script', 'RELEASE SAVEPOINT script');
      settle.push(() => waiting.reject(error));
    }
  }
  await line.end(committed > 0 ? 'COMMIT' : 'ROLLBACK');
  return { settle, committed };
}

/**
 * Runs a script on one snapshot. The transaction ends behind the answer, ahead of whatever the connection does next.
 * @throws what the script throws, or GroupFailure
 */
export async function runReading<T>(client: PoolClient, script: TimedScript<T>, clock: () => number): Promise<T> {
  const line = new Line(client);
  line.send('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await line.run(script(clock()));
  } catch (error) {
    throw line.failure === undefined ? error : new GroupFailure(line.failure, false);
  } finally {
    line.abandon();
  }
}

/** Commands wait for the statement after them and travel in front of it; their errors come to light with it. */
class Line {
  /** What failed the transaction as a whole, not just one script. */
  failure: unknown;
  #waiting: string[] = [];
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  send(...commands: string[]): void {
    this.#waiting.push(...commands);
  }

  /** @throws GroupFailure */
  async sent(...commands: string[]): Promise<void> {
    this.send(...commands);
    await this.#flush();
    if (this.failure !== undefined) throw new GroupFailure(this.failure, false);
  }

  run<T>(script: Script<T>): Promise<T> {
    return pump(script, async (statement) => {
      const flushed = this.#flush();
      // Both are awaited together, so that neither can be rejected while nobody looks.
      const [answer] = await Promise.allSettled([execute(this.#client, statement), flushed]);
      if (answer.status === 'fulfilled' && this.failure === undefined) return answer.value;
      const error = answer.status === 'rejected' ? answer.reason : this.failure;
      if (isConflict(error) || isConnectionLoss(error)) this.failure ??= error;
      throw postgresFault(this.failure ?? error);
    });
  }

  async end(command: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const flushed = this.#flush();
    const [answer] = await Promise.allSettled([this.#client.query(command), flushed]);
    if (answer.status === 'rejected') throw new GroupFailure(this.failure ?? answer.reason, command === 'COMMIT');
    // The server answers COMMIT with ROLLBACK when the transaction had failed before.
    if (answer.value.command !== command || this.failure !== undefined) {
      throw new GroupFailure(this.failure ?? new Error('The server rolled the transaction back.'), false);
    }
  }

  /** Ends the transaction without waiting for it; the connection does that before anything else. */
  abandon(): void {
    this.send('ROLLBACK');
    void this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const commands = this.#waiting.join('; ');
    this.#waiting = [];
    await this.#client.query(commands).catch((error: unknown) => {
      this.failure ??= error;
    });
  }
}
