/** Retries a transaction after a conflict or a lost connection, a limited number of times with backoff. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { outcomeUnknown, unavailable } from '../failure.ts';
import { GroupFailure } from './pipeline.ts';
import { isConflict, isConnectionLoss, isTimeout } from './postgresFailure.ts';

/** With the backoff between them they span about a second. */
const MAX_ATTEMPTS = 6;
const FIRST_BACKOFF_MS = 20;

/**
 * @param seed varies the backoff of transactions that conflicted, so that they do not conflict again
 * @param work a transaction; one that throws GroupFailure before its commit has had no effect
 * @throws any other error of the work; Fault UNAVAILABLE when all tries fail or the outcome is unknown
 */
export async function withRetries<T>(pool: Pool, seed: bigint, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await withConnection(pool, work);
    } catch (error) {
      if (!(error instanceof GroupFailure)) throw error;
      const { cause, atCommit } = error;
      if (atCommit && isConnectionLoss(cause)) throw outcomeUnknown(cause);
      const temporary = isConflict(cause) || (isConnectionLoss(cause) && !isTimeout(cause));
      if (!temporary || attempt === MAX_ATTEMPTS - 1) throw unavailable(cause);
    }
    await pause(backoffMs(attempt + 1, seed));
  }
}

/** Doubles each time, and varies between half and the full value by five bits of the seed, different ones each time. */
function backoffMs(attempt: number, seed: bigint): number {
  const spread = Number((BigInt.asUintN(64, seed) >> BigInt(attempt * 5)) & 31n) / 32;
  return FIRST_BACKOFF_MS * 2 ** (attempt - 1) * (0.5 + spread / 2);
}

async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new GroupFailure(error, false);
  });
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = error instanceof GroupFailure;
    throw error;
  } finally {
    client.release(broken);
  }
}
