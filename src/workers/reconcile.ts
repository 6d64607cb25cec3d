/** Settles attempts that a crash or a rail without an answer left open, under the same attempt key. */

import { Fault } from '../../protocol/wire/fault.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { finishRequest } from '../handlers/core/exchange.ts';
import { claimedUntil } from '../handlers/payments/railAttempt.ts';
import { showPayment, showPaymentResult } from '../handlers/payments/showPayment.ts';
import { askAndRecord } from '../handlers/payments/throughRail.ts';
import { deleteRequest, listOrphanedRequests, listRequestsOfAttempt } from '../store/statements/callers/requests.ts';
import { findPayment } from '../store/statements/purchases/payments.ts';
import {
  claimRailAttempt,
  findRailAttempt,
  listDueAttempts,
  type RailAttemptRow,
} from '../store/statements/purchases/railAttempts.ts';
import type { Script } from '../store/store.ts';
import { NODE_LIFE_SECONDS } from './heartbeat.ts';

const BATCH = 50;

export async function reconcile(deps: Deps): Promise<void> {
  const { due, orphans } = await deps.store.read(function* (now) {
    const deadBefore = now - NODE_LIFE_SECONDS * 1000;
    return {
      due: yield* listDueAttempts(now, deadBefore, BATCH),
      orphans: yield* listOrphanedRequests(now, deadBefore, BATCH),
    };
  });
  await Promise.all([
    ...due.map((attempt) => settle(deps, attempt)),
    ...orphans.map(({ tenant_id: tenantId, attempt_key: key }) =>
      deps.store.write(tenantId, (now) => answerOrphan(deps, tenantId, String(key), now)),
    ),
  ]);
}

async function settle(deps: Deps, attempt: RailAttemptRow): Promise<void> {
  const tenantId = attempt.tenant_id;
  const payment = await deps.store.write(tenantId, function* (now) {
    if (!(yield* claimRailAttempt(attempt, deps.nodeId, claimedUntil(deps, now)))) return undefined;
    return yield* findPayment(tenantId, attempt.payment_id);
  });
  if (payment === undefined) return;
  await askAndRecord(deps, { attempt, rail: payment.rail }, (told, now) =>
    answerRequests(deps, attempt.attempt_key, told, now),
  );
}

/** Answers requests whose attempt a rail's notification settled after their own process had died. */
function* answerOrphan(deps: Deps, tenantId: string, attemptKey: string, now: number): Script<void> {
  const attempt = yield* findRailAttempt(attemptKey);
  const payment = attempt && (yield* findPayment(tenantId, attempt.payment_id));
  if (attempt === undefined || payment === undefined) return;
  const told = attempt.operation === 'authorize' ? showPaymentResult(payment) : showPayment(payment);
  yield* answerRequests(deps, attemptKey, told, now);
}

/** @param told the caller's answer; after a fault the request may be made again, as it may be without a crash */
function* answerRequests(deps: Deps, attemptKey: string, told: unknown, now: number): Script<void> {
  for (const request of yield* listRequestsOfAttempt(attemptKey)) {
    if (told instanceof Fault) yield* deleteRequest(request.tenant_id, request.scope, request.request_key);
    else yield* finishRequest(deps, request, told, now);
  }
}
