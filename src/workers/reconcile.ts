/** Settles what a crash or a silent rail left open, under the same attempt key. */

import type { Deps } from '../handlers/core/deps.ts';
import { askRail, claimedUntil } from '../handlers/payments/askRail.ts';
import { showPaymentResult } from '../handlers/payments/mandatePayment.ts';
import { recordOutcome } from '../handlers/payments/recordOutcome.ts';
import { showPayment } from '../handlers/payments/showPayment.ts';
import {
  findRequestOfAttempt,
  listOrphanedRequests,
  type RequestRow,
  saveRequest,
} from '../store/statements/callers/requests.ts';
import { deleteNodesBefore, recordHeartbeat } from '../store/statements/node/nodes.ts';
import { findPayment, type PaymentRow } from '../store/statements/purchases/payments.ts';
import {
  claimRailAttempt,
  findRailAttempt,
  listDueAttempts,
  type RailAttemptRow,
} from '../store/statements/purchases/railAttempts.ts';
import type { Script } from '../store/store.ts';

/** A node not heard of for this long is gone, and what it left in flight is taken over. */
export const NODE_LIFE_SECONDS = 6;
const BATCH = 50;

/** How a gate finishes an answer that another process left in flight: the text to keep. */
type Finish = (request: RequestRow, output: unknown, now: number) => Script<string>;

export async function sayAlive(deps: Deps): Promise<void> {
  const now = deps.clock();
  await deps.store.write('nodes', function* () {
    yield* recordHeartbeat(deps.nodeId, now);
    yield* deleteNodesBefore(now - 10 * NODE_LIFE_SECONDS * 1000);
  });
}

type Finishers = Readonly<Record<'rest' | 'a2a', Finish>>;

export async function reconcile(deps: Deps, finish: Finishers): Promise<void> {
  const now = deps.clock();
  const deadBefore = now - NODE_LIFE_SECONDS * 1000;
  const due = await deps.store.read(() => listDueAttempts(now, deadBefore, BATCH));
  const orphans = await deps.store.read(() => listOrphanedRequests(now, deadBefore, BATCH));
  await Promise.all([
    ...due.map((attempt) => settle(deps, attempt, finish)),
    ...orphans.map(({ tenant_id: tenantId, attempt_key: key }) =>
      deps.store.write(tenantId, () => answerOrphan(deps, tenantId, String(key), finish)),
    ),
  ]);
}

async function settle(deps: Deps, attempt: RailAttemptRow, finish: Finishers): Promise<void> {
  const tenantId = attempt.tenant_id;
  const claimed = await deps.store.write(tenantId, function* () {
    const until = claimedUntil(deps, deps.clock());
    if (!(yield* claimRailAttempt(attempt, deps.nodeId, until))) return undefined;
    return yield* findPayment(tenantId, attempt.payment_id);
  });
  if (claimed === undefined) return;
  const outcome = await askRail(deps, claimed.rail, attempt);
  await deps.store.write(tenantId, function* () {
    const now = deps.clock();
    const payment = yield* recordOutcome(deps, tenantId, attempt.attempt_key, outcome, now);
    yield* answerRequest(attempt, payment, finish, now);
  });
}

/** The rail's notification settled the attempt, and the process that should have answered is gone. */
function* answerOrphan(deps: Deps, tenantId: string, attemptKey: string, finish: Finishers): Script<void> {
  const attempt = yield* findRailAttempt(attemptKey);
  const payment = attempt && (yield* findPayment(tenantId, attempt.payment_id));
  if (attempt !== undefined && payment !== undefined) yield* answerRequest(attempt, payment, finish, deps.clock());
}

function* answerRequest(attempt: RailAttemptRow, payment: PaymentRow, finish: Finishers, now: number): Script<void> {
  const request = yield* findRequestOfAttempt(attempt.attempt_key);
  if (request === undefined) return;
  const output = attempt.operation === 'authorize' ? showPaymentResult(payment) : showPayment(payment);
  const answer = yield* finish[request.gate](request, output, now);
  yield* saveRequest({ ...request, state: 'DONE', answer, attempt_key: null });
}
