/**
 * Work is due by the clock. After a clock that was ahead has been set back, what was written meanwhile would wait until the
 * clock is there again: it is made due as if it had been written now.
 */

import { claimedUntil } from '../domain/payments/railAttempt.ts';
import { countSeenNow, databaseTime, isAnySeenAfter } from '../store/statements/node/nodes.ts';
import { hastenRailAttempts } from '../store/statements/purchases/railAttempts.ts';
import { hastenDeliveries, listQueues } from '../store/statements/webhooks/deliveries.ts';
import type { Deps } from '../usecase/deps.ts';
import { NODE_LIFE_SECONDS } from './heartbeat.ts';

/** Smaller steps delay nothing that matters. */
const STEP_MS = 2000;

/** A clock that notices when it is set back: between two of its times less passes than by the monotonic clock. */
interface WatchedClock {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** How often it was found set back, by more than is worth mending. */
  readonly timesSetBack: () => number;
}

/** @param clock milliseconds since the epoch @param steady milliseconds of a clock that only goes forward */
export function watchedClock(clock: () => number, steady: () => number = () => performance.now()): WatchedClock {
  let ahead = clock() - steady();
  let setBack = 0;
  return {
    clock() {
      const now = clock();
      const present = now - steady();
      if (present < ahead - STEP_MS) setBack += 1;
      ahead = present;
      return now;
    },
    timesSetBack: () => setBack,
  };
}

/**
 * Looks whether the node's clock was set back, which each reading of it tells, and compares the database's with the
 * monotonic clock.
 * @returns a look to be repeated; the first one mends what an earlier time has left
 */
export function watchClock(deps: Deps): () => Promise<void> {
  let mended: { readonly ahead: number; readonly times: number } | undefined;
  return async () => {
    const time = await deps.store.read((at) => databaseTime(deps.store.engine, at));
    // A reading of the clock comes first, so that a step since the last one is counted.
    deps.clock();
    const seen = { ahead: time - performance.now(), times: deps.metrics.timesSetBack() };
    const wasSetBack = mended === undefined || seen.times > mended.times || seen.ahead < mended.ahead - STEP_MS;
    if (wasSetBack) await mendTimes(deps);
    mended = seen;
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
    const backoffMs = settings.webhookRetrySeconds.map((seconds) => seconds * 1000);
    for (const { webhook_id: webhookId } of yield* listQueues()) {
      yield* hastenDeliveries(webhookId, at, backoffMs, STEP_MS);
    }
  });
}
