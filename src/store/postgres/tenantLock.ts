/** The lock under which the scripts of a tenant run, and the proof that the server's locks keep others out. */
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { codeOf } from '../failure.ts';

const LOCK_NOT_AVAILABLE = '55P03';

/** The advisory lock of a tenant: the first 64 bits of a SHA-256, as the signed number that PostgreSQL takes. */
export function lockOf(tenantId: string): bigint {
  return createHash('sha256').update(tenantId).digest().readBigInt64BE();
}

/** Takes a lock until the transaction ends. */
export function taking(lock: bigint): string {
  return `SELECT pg_advisory_xact_lock(${lock})`;
}

/**
 * Takes one lock in two sessions at once. Servers that speak PostgreSQL's protocol, and poolers before it, may accept the
 * statement without locking anything.
 * @param pool of two connections at least
 * @throws Error where the second session did not have to wait
 */
export async function requireLocks(pool: Pool): Promise<void> {
  const excludes = await inSession(pool, (holder) =>
    inSession(pool, async (other) => {
      const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      // Of this start alone, so that nodes which start at the same time do not wait for each other.
      const take = taking(lockOf(`start ${rows[0]?.pid}`));
      await holder.query(`BEGIN; ${take}`);
      await other.query('BEGIN; SET LOCAL lock_timeout = 20');
      return isRefused(other.query(take));
    }),
  );
  if (excludes) return;
  throw new Error(
    'its advisory locks keep no other session out, so two nodes could spend the same money; use a server that has them, such as PostgreSQL itself',
  );
}

/** Gives work a connection, which ends after it with the transaction that it is in. */
async function inSession<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release(true);
  }
}

async function isRefused(waiting: Promise<unknown>): Promise<boolean> {
  try {
    await waiting;
    return false;
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return true;
    throw error;
  }
}
