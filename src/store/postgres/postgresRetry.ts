/** Runs a transaction again when the server asks for it or the connection was lost, a bounded number of times. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { unavailable } from '../failure.ts';
import { isConflict, isConnectionLoss, isTimeout } from './postgresFailure.ts';
import { GroupFailure } from './postgresGroup.ts';

/** With the pauses between them this spans about a second. */
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 20;

/**
 * @param seed spreads the pauses of those that collided, so that they do not meet again
 * @param work a transaction without effect when it throws GroupFailure before its commit
 * @throws what the work throws other than that; Fault UNAVAILABLE when it fails for good or its outcome is unknown
 */
export async function withRetries<T>(pool: Pool, seed: bigint, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await withConnection(pool, work);
    } catch (error) {
      if (!(error instanceof GroupFailure)) throw error;
      const { cause, atCommit } = error;
      if (atCommit && isConnectionLoss(cause)) {
        throw unavailable(cause, 'The outcome of this request is unknown; ask again.');
      }
      const passing = isConflict(cause) || (isConnectionLoss(cause) && !isTimeout(cause));
      if (!passing || attempt === MAX_ATTEMPTS - 1) throw unavailable(cause);
    }
    await pause(pauseBefore(attempt + 1, seed));
  }
}

/** Doubles each time, between half and the full value by five bits of the seed, other ones each time. */
function pauseBefore(attempt: number, seed: bigint): number {
  const spread = Number((BigInt.asUintN(64, seed) >> BigInt(attempt * 5)) & 31n) / 32;
  return FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + spread / 2);
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
