/**
 * Settles attempts that a crash or a rail without an answer left open, under the same attempt key. Work is taken from a
 * sliding pool: what one payment waits for delays no other one.
 */

import { answerRequests, settleAttempt } from '../domain/payments/settleAttempt.ts';
import { answerAttempt } from '../domain/payments/throughRail.ts';
import { listOrphanedRequests, type RequestRow } from '../store/statements/callers/requests.ts';
import { databaseTime } from '../store/statements/node/nodes.ts';
import { findPayment } from '../store/statements/purchases/payments.ts';
import { findRailAttempt, listDueAttempts, type RailAttemptRow } from '../store/statements/purchases/railAttempts.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from '../usecase/deps.ts';
import { NODE_LIFE_SECONDS } from './heartbeat.ts';
import { patience, workOff } from './patience.ts';
import { repeat, type Worker } from './repeat.ts';

/** Attempts under way at the same time: more than a rail that hangs for its whole time-out leaves open within it. */
const SLOTS = 1024;
/** A look at the table is worth while for so many free slots; the next scheduled look fills fewer. */
const WORTH_A_LOOK = 64;
const LOOK_MS = 1000;

interface Pool {
  /** Takes what is due, as far as there are slots, and does not wait until it is settled. */
  fill(): Promise<void>;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
}

export function startReconciling(deps: Deps, failed: (error: unknown) => void): Worker {
  const pool = openPool(deps, failed);
  const looks = repeat(LOOK_MS, () => pool.fill(), failed);
  return {
    async stop() {
      await looks.stop();
      // The node is stopping, so that no attempt waits for its rail any more.
      await pool.idle();
    },
  };
}

/** Settles all that is due now. */
export async function reconcile(deps: Deps): Promise<void> {
  const pool = openPool(deps, (error) => {
    throw error;
  });
  await pool.fill();
  await pool.idle();
}

function openPool(deps: Deps, failed: (error: unknown) => void): Pool {
  const underWay = new Map<string, Promise<void>>();
  const failing = patience(deps, 'reconcile');
  const orphaned = patience(deps, 'orphans');
  let mayBeMore = false;
  let filling: Promise<void> | undefined;

  const fill = (): Promise<void> => {
    filling ??= take().finally(() => {
      filling = undefined;
    });
    return filling;
  };

  async function take(): Promise<void> {
    // Those set aside are still listed, so that as many more have to be.
    const limit = SLOTS + failing.waiting;
    const due = await listDue(deps, limit);
    if (due.length < limit) failing.keepOnly(new Set(due.map(({ attempt_key: key }) => key)));
    const waiting = due.filter(({ attempt_key: key }) => !underWay.has(key) && !failing.isWaiting(key));
    const taken = waiting.slice(0, SLOTS - underWay.size);
    mayBeMore = due.length === limit || taken.length < waiting.length;
    for (const attempt of taken) begin(attempt);
    await workOff(deps, orphaned, {
      list: (most) => listOrphans(deps, most),
      keyOf: ({ attempt_key: key }) => String(key),
      settle: ({ tenant_id: tenantId, attempt_key: key }) =>
        deps.store.write(tenantId, (now) => answerOrphan(deps, tenantId, String(key), now)),
    });
  }

  function begin(attempt: RailAttemptRow): void {
    const settling = failing
      .attempt(attempt.attempt_key, () => settleAttempt(deps, attempt))
      .catch(failed)
      .finally(() => {
        underWay.delete(attempt.attempt_key);
        if (mayBeMore && !deps.stopping.aborted && SLOTS - underWay.size >= WORTH_A_LOOK) fill().catch(failed);
      });
    underWay.set(attempt.attempt_key, settling);
  }

  return {
    fill,
    async idle() {
      while (underWay.size > 0 || filling !== undefined) await Promise.all([...underWay.values(), filling]);
    },
  };
}

function listDue(deps: Deps, limit: number): Promise<readonly RailAttemptRow[]> {
  return deps.store.read(function* (at) {
    const now = yield* databaseTime(deps.store.engine, at);
    return yield* listDueAttempts(deps.settings.nodeId, now, now - NODE_LIFE_SECONDS * 1000, limit);
  });
}

function listOrphans(deps: Deps, limit: number): Promise<readonly RequestRow[]> {
  return deps.store.read(function* (at) {
    const now = yield* databaseTime(deps.store.engine, at);
    return yield* listOrphanedRequests(deps.settings.nodeId, now, now - NODE_LIFE_SECONDS * 1000, limit);
  });
}

/** Answers requests whose attempt a rail's notification settled after their own process had died. */
function* answerOrphan(deps: Deps, tenantId: string, attemptKey: string, now: number): Script<void> {
  const attempt = yield* findRailAttempt(attemptKey);
  const payment = attempt && (yield* findPayment(tenantId, attempt.payment_id));
  if (attempt === undefined || payment === undefined) return;
  const told = yield* answerAttempt(deps, attempt.operation, payment, undefined, now);
  yield* answerRequests(deps, attemptKey, told, now);
}
