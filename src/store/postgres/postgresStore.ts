/** The store for many nodes on one PostgreSQL: tenants side by side, the scripts of one tenant in shared commits. */
import type { Pool } from 'pg';
import { closedStore } from '../failure.ts';
import type { Waiting } from '../pump.ts';
import type { Store, TimedScript } from '../store.ts';
import { makePool, type PoolOptions } from './postgresConnection.ts';
import { lockOf, runGroup, runReading } from './postgresGroup.ts';
import { withRetries } from './postgresRetry.ts';

interface PostgresOptions extends PoolOptions {
  /** Most scripts in one commit. */
  readonly maxGroup?: number;
}

/**
 * Opens the store.
 * @param url `postgres://user:password@host:port/database`
 * @param clock milliseconds since the epoch
 * @throws Error that says why the server cannot be reached
 */
export async function openPostgres(url: string, clock: () => number, options: PostgresOptions = {}): Promise<Store> {
  const pool = makePool(url, options);
  await checkServer(pool);
  const maxGroup = options.maxGroup ?? 64;
  const queues = new Map<string, Waiting[]>();
  const busy = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  let commits = 0;
  let scripts = 0;

  /** A pool that is closed forgets who waits for a connection, so close() lets these finish first. */
  function track<T>(work: Promise<T>): Promise<T> {
    const done = () => busy.delete(work);
    busy.add(work);
    work.then(done, done);
    return work;
  }

  /** Runs one tenant's queue until it is empty. While a group is under way the next one gathers. */
  async function drain(tenantId: string, queue: Waiting[]): Promise<void> {
    const lock = lockOf(tenantId);
    while (queue.length > 0) {
      let group: Waiting[] = [];
      try {
        const end = await withRetries(pool, lock, (client) => {
          // Taken only now: what came while a connection was awaited belongs to the group as well.
          if (group.length === 0) group = queue.splice(0, maxGroup);
          return runGroup(client, lock, group, clock);
        });
        if (end.committed > 0) commits += 1;
        scripts += end.committed;
        for (const settle of end.settle) settle();
      } catch (error) {
        if (group.length === 0) group = queue.splice(0, maxGroup);
        for (const waiting of group) waiting.reject(error);
      }
    }
    queues.delete(tenantId);
  }

  async function close(): Promise<void> {
    while (busy.size > 0) await Promise.allSettled(busy);
    await pool.end();
  }

  return {
    engine: 'postgres',
    write<T>(tenantId: string, script: TimedScript<T>): Promise<T> {
      if (closing !== undefined) return Promise.reject(closedStore());
      return new Promise<T>((resolve, reject) => {
        const waiting: Waiting = { script, resolve: resolve as (value: unknown) => void, reject };
        const queue = queues.get(tenantId);
        if (queue !== undefined) {
          queue.push(waiting);
          return;
        }
        const started = [waiting];
        queues.set(tenantId, started);
        void track(drain(tenantId, started));
      });
    },
    async read(script) {
      if (closing !== undefined) throw closedStore();
      return track(withRetries(pool, 0n, (client) => runReading(client, script, clock)));
    },
    stats: () => ({ commits, scripts }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function checkServer(pool: Pool): Promise<void> {
  try {
    const { rows } = await pool.query<{ server_encoding: string }>('SHOW server_encoding');
    const encoding = rows[0]?.server_encoding;
    if (encoding !== 'UTF8') {
      throw new Error(
        `its encoding is ${encoding}, which cannot hold every name; make the database with ENCODING 'UTF8'`,
      );
    }
  } catch (error) {
    await pool.end();
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new Error(`The PostgreSQL database cannot be used: ${reason}.`, { cause: error });
  }
}
