/** The store for many nodes on one PostgreSQL: tenants run in parallel, scripts of one tenant share commits. */
import type { Pool, PoolClient } from 'pg';
import { closedStore } from '../failure.ts';
import { firstStatements, type QueuedScript } from '../pump.ts';
import type { Load, Reader, Store, StoreStats, TimedScript } from '../store.ts';
import { makePool, type PoolOptions } from './postgresConnection.ts';
import { type GroupContext, onOneSnapshot, runGroup, runReading } from './postgresGroup.ts';
import { withRetries } from './postgresRetry.ts';
import { Replica, type ReplicaSource } from './replica.ts';
import { lockOf, requireLocks } from './tenantLock.ts';

interface PostgresOptions extends PoolOptions {
  /** How many scripts share a commit at most. */
  readonly maxGroup?: number;
  /** Where long reads go, as long as it is fit for them. */
  readonly replica?: ReplicaSource | undefined;
}

/**
 * Opens the store.
 * @param url `postgres://user:password@host:port/database`
 * @param clock milliseconds since the epoch
 * @throws Error that says why the server cannot be reached
 */
export async function openPostgres(url: string, clock: () => number, options: PostgresOptions = {}): Promise<Store> {
  const pool = makePool(url, options);
  // Long reads never take the connections that purchases wait for.
  const apart = makePool(url, { ...options, maxConnections: 2 });
  try {
    await checkServer(apart);
  } catch (error) {
    await Promise.all([pool.end(), apart.end()]);
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new Error(`The PostgreSQL database cannot be used: ${reason}.`, { cause: error });
  }
  const replica = options.replica && new Replica(apart, options.replica);
  return new PostgresStore({ pool, apart, replica }, clock, options.maxGroup ?? 64);
}

interface Servers {
  readonly pool: Pool;
  readonly apart: Pool;
  readonly replica: Replica | undefined;
}

class PostgresStore implements Store {
  readonly engine = 'postgres';
  readonly #pool: Pool;
  readonly #apart: Pool;
  readonly #replica: Replica | undefined;
  readonly #around: GroupContext;
  readonly #maxGroup: number;
  /** By tenant, the scripts that wait while a group of the tenant runs. */
  readonly #queues = new Map<string, QueuedScript[]>();
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  #commits = 0;
  #scripts = 0;
  #statements = 0;

  constructor({ pool, apart, replica }: Servers, clock: () => number, maxGroup: number) {
    this.#pool = pool;
    this.#apart = apart;
    this.#replica = replica;
    this.#around = { clock, counts: () => (this.#statements += 1) };
    this.#maxGroup = maxGroup;
    // Told now, and not only with the first long read.
    if (replica !== undefined) void this.#track(replica.read(async () => {}));
  }

  write<T>(tenantId: string, script: TimedScript<T>, load?: Load): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(closedStore());
    return new Promise<T>((resolve, reject) => {
      const queued = { script, load: firstStatements(load), resolve: resolve as (value: unknown) => void, reject };
      const queue = this.#queues.get(tenantId);
      if (queue !== undefined) {
        queue.push(queued);
        return;
      }
      const started = [queued];
      this.#queues.set(tenantId, started);
      void this.#track(this.#drain(tenantId, started));
    });
  }

  async read<T>(script: TimedScript<T>): Promise<T> {
    if (this.#closing !== undefined) throw closedStore();
    return this.#track(withRetries(this.#pool, 0n, (client) => runReading(client, script, this.#around)));
  }

  async readApart<T>(script: TimedScript<T>): Promise<T> {
    if (this.#closing !== undefined) throw closedStore();
    return this.#track(this.#readBeside(script));
  }

  async onSnapshot<T>(work: (snapshot: Reader) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closedStore();
    return this.#track(onOneSnapshot(this.#apart, this.#around, work));
  }

  stats(): StoreStats {
    return { commits: this.#commits, scripts: this.#scripts, statements: this.#statements };
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await Promise.all([this.#pool.end(), this.#apart.end(), this.#replica?.close()]);
  }

  async #readBeside<T>(script: TimedScript<T>): Promise<T> {
    const work = (client: PoolClient) => runReading(client, script, this.#around);
    const read = await this.#replica?.read(work);
    return read === undefined ? withRetries(this.#apart, 0n, work) : read.value;
  }

  /** A closed pool drops those who wait for a connection, so close() waits for these first. */
  #track<T>(work: Promise<T>): Promise<T> {
    const done = () => this.#running.delete(work);
    this.#running.add(work);
    work.then(done, done);
    return work;
  }

  /** Runs one tenant's queue until it is empty. While one group runs, the next one gathers. */
  async #drain(tenantId: string, queue: QueuedScript[]): Promise<void> {
    const lock = lockOf(tenantId);
    while (queue.length > 0) {
      const group: QueuedScript[] = [];
      const gather = () => {
        group.push(...queue.splice(0, this.#maxGroup - group.length));
        return group;
      };
      try {
        // Who comes later than the first try has tries of its own.
        const end = await withRetries(this.#pool, lock, (client) =>
          runGroup(client, lock, group.length === 0 ? gather : () => group, this.#around),
        );
        if (end.committed > 0) this.#commits += 1;
        this.#scripts += end.committed;
        for (const settle of end.settle) settle();
      } catch (error) {
        // Without a connection nothing was gathered.
        for (const queued of group.length === 0 ? gather() : group) queued.reject(error);
      }
    }
    this.#queues.delete(tenantId);
  }
}

async function checkServer(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') {
    throw new Error(
      `its encoding is ${encoding}, which cannot store every text; create the database with ENCODING 'UTF8'`,
    );
  }
  await requireLocks(pool);
}
