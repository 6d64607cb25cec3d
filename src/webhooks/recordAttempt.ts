/** Writes down finished attempts, many in one script: the log, the deliveries' next states, the receivers' health. */
import type { Deps } from '../handlers/core/deps.ts';
import { type AttemptRow, insertAttempts } from '../store/statements/webhooks/attempts.ts';
import { markDelivered, markUndelivered } from '../store/statements/webhooks/deliveries.ts';
import { setFailingSince } from '../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../store/store.ts';
import { inBatches } from './batches.ts';
import type { Endpoint, Leased } from './endpointHealth.ts';
import type { Outcome } from './postEvent.ts';

export interface Finished {
  readonly endpoint: Endpoint;
  readonly leased: Leased;
  readonly outcome: Outcome;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

/** @returns when the first of those that failed is due again, Infinity when none is */
export function* recordFinished(deps: Deps, batch: readonly Finished[]): Script<number> {
  let dueAt = Number.POSITIVE_INFINITY;
  for (const group of inBatches(batch.filter(({ outcome }) => outcome.ok))) {
    yield* markDelivered(
      group.map(({ leased }) => leased.delivery.id),
      deps.nodeId,
    );
  }
  for (const { leased, outcome, endedAt } of batch) {
    if (outcome.ok) continue;
    const { id, attempts, max_attempts: most } = leased.delivery;
    const made = attempts + 1;
    const wait = deps.settings.webhookRetrySeconds[made] ?? 0;
    const state = made >= most ? 'FAILED' : 'PENDING';
    const nextAt = endedAt + wait * 1000;
    yield* markUndelivered(id, deps.nodeId, { state, nextAt });
    if (state === 'PENDING') dueAt = Math.min(dueAt, nextAt);
  }
  for (const group of inBatches(batch)) yield* insertAttempts(group.map((finished) => attemptOf(deps, finished)));
  yield* recordHealth(batch);
  return dueAt;
}

function attemptOf(deps: Deps, { endpoint, leased, outcome, endedAt }: Finished): AttemptRow {
  const { delivery } = leased;
  const attempt = delivery.attempts + 1;
  return {
    id: deps.newId('whl_'),
    tenant_id: delivery.tenant_id,
    delivery_id: delivery.id,
    webhook_id: delivery.webhook_id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    url: endpoint.row.url,
    attempt,
    outcome: outcome.ok ? 'delivered' : attempt >= delivery.max_attempts ? 'failed' : 'retrying',
    status: outcome.status,
    duration_ms: outcome.durationMs,
    error: outcome.error ?? null,
    answer: outcome.answer === '' ? null : outcome.answer,
    delivered_at: endedAt,
  };
}

/** Since when a receiver fails: from its first failure on, until something arrives. */
function* recordHealth(batch: readonly Finished[]): Script<void> {
  for (const [endpoint, last] of new Map(batch.map((finished) => [finished.endpoint, finished]))) {
    const arrived = batch.some((finished) => finished.endpoint === endpoint && finished.outcome.ok);
    const since = endpoint.row.failing_since;
    if (arrived && since !== null) yield* setFailingSince(endpoint.id, null);
    if (!arrived && since === null) yield* setFailingSince(endpoint.id, last.endedAt);
  }
}
