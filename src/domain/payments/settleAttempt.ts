/** Settles an attempt that a crash or a rail without an answer left open: the rail is asked again, under the same key. */

import { Fault } from '../../../protocol/wire/fault.ts';
import { deleteRequest, listRequestsOfAttempt } from '../../store/statements/callers/requests.ts';
import { databaseTime } from '../../store/statements/node/nodes.ts';
import { findPayment } from '../../store/statements/purchases/payments.ts';
import { claimRailAttempt, type RailAttemptRow } from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { finishRequest } from '../../usecase/exchange.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { claimedUntil } from './railAttempt.ts';
import { askAndRecord } from './throughRail.ts';

/** Does nothing where another node was faster. */
export async function settleAttempt(deps: Deps, attempt: RailAttemptRow): Promise<void> {
  const tenantId = attempt.tenant_id;
  const claimed = await deps.store.write(tenantId, function* (at) {
    const now = yield* databaseTime(deps.store.engine, at);
    if (!(yield* claimRailAttempt(attempt, deps.settings.nodeId, claimedUntil(deps, now)))) return undefined;
    const payment = yield* findPayment(tenantId, attempt.payment_id);
    return payment && { rail: payment.rail, now };
  });
  if (claimed === undefined) return;
  const options = { now: claimed.now, stop: deps.stopping };
  await askAndRecord(deps, { attempt, rail: claimed.rail }, options, (told, now) =>
    answerRequests(deps, attempt.attempt_key, told, now),
  );
}

/** @param told the caller's answer; after a fault the request may be made again, as it may be without a crash */
export function* answerRequests(deps: HookDeps, attemptKey: string, told: unknown, now: number): Script<void> {
  for (const request of yield* listRequestsOfAttempt(attemptKey)) {
    if (told instanceof Fault) yield* deleteRequest(request.tenant_id, request.scope, request.request_key);
    else yield* finishRequest(deps, request, told, now);
  }
}
