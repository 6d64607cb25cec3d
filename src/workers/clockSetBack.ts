/**
 * Work is due by the clock. After a clock that was ahead has been set back, what was written meanwhile would wait until the
 * clock is there again: it is made due as if it had been written now.
 */
import type { Deps } from '../handlers/core/deps.ts';
import { claimedUntil } from '../handlers/payments/railAttempt.ts';
import { countSeenNow, databaseTime, isAnySeenAfter } from '../store/statements/node/nodes.ts';
import { hastenRailAttempts } from '../store/statements/purchases/railAttempts.ts';
import { hastenDeliveries } from '../store/statements/webhooks/deliveries.ts';
import { NODE_LIFE_SECONDS } from './heartbeat.ts';

/** Smaller steps delay nothing that matters. */
const STEP_MS = 2000;

/**
 * Compares the times of this machine and of the database with a clock that nobody sets.
 * @returns a look to be repeated; the first one mends whatever a time before has left
 */
export function watchClock(deps: Deps): () => Promise<void> {
  let last: readonly number[] | undefined;
  return async () => {
    const times = await deps.store.read(function* (at) {
      return [at, yield* databaseTime(deps.store.engine, at)];
    });
    const steady = performance.now();
    const ahead = times.map((time) => time - steady);
    const wasSetBack = ahead.some((each, index) => each < (last?.[index] ?? Number.POSITIVE_INFINITY) - STEP_MS);
    if (wasSetBack) await mendTimes(deps);
    last = ahead;
  };
}

/** Brings every time that no clock which is right could have written to the latest that it could have written now. */
async function mendTimes(deps: Deps): Promise<void> {
  const { store, settings } = deps;
  await store.write('clock', function* (at) {
    const now = yield* databaseTime(store.engine, at);
    const lifeMs = NODE_LIFE_SECONDS * 1000;
    if (yield* isAnySeenAfter(now + lifeMs)) yield* countSeenNow(now, now + lifeMs);
    const { retrySeconds } = settings.rail;
    yield* hastenRailAttempts(now, Math.max(claimedUntil(deps, now), now + Math.max(...retrySeconds) * 1000));
    for (const [made, seconds] of settings.webhookRetrySeconds.entries()) {
      yield* hastenDeliveries(made, at + seconds * 1000, STEP_MS);
    }
  });
}
