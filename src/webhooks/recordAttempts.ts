/** Records attempts that have ended: the log, the deliveries' next states, and since when an endpoint fails. */

import { type AttemptRow, insertAttempts } from '../store/statements/webhooks/attempts.ts';
import { markDelivered, markUndelivered } from '../store/statements/webhooks/deliveries.ts';
import { setFailing, setReached } from '../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../store/store.ts';
import type { Outcome, ReceiverEnd } from '../usecase/deliveryKind.ts';
import type { Deps } from '../usecase/deps.ts';
import type { Endpoint, EndpointTarget, Lease } from './endpointHealth.ts';

/** An attempt at a delivery, and how it ended. */
export interface Attempt {
  readonly endpoint: Endpoint;
  readonly lease: Lease;
  readonly outcome: Outcome;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

interface EndedTarget extends EndpointTarget {
  readonly end: ReceiverEnd;
}

/** The subscriptions whose receiver says that it is to get nothing more, each once. */
export function endsOf(attempts: readonly Attempt[]): EndedTarget[] {
  const ends = attempts.flatMap(({ endpoint: { target }, outcome: { end } }) =>
    end === undefined ? [] : [{ ...target, end }],
  );
  return [...new Map(ends.map((each) => [each.row.id, each])).values()];
}

/** @returns when the first of those that failed is due again, Infinity when none is */
export function* recordAttempts(deps: Deps, attempts: readonly Attempt[]): Script<number> {
  const delivered = attempts.filter(({ outcome }) => outcome.ok).map(({ lease }) => lease.delivery.id);
  yield* markDelivered(delivered, deps.settings.nodeId);
  let dueAt = Number.POSITIVE_INFINITY;
  for (const attempt of attempts) {
    if (!attempt.outcome.ok) dueAt = Math.min(dueAt, yield* recordFailure(deps, attempt));
  }
  yield* insertAttempts(attempts.map((attempt) => rowOf(deps, attempt)));
  yield* recordFailing(attempts);
  return dueAt;
}

/** @returns when the delivery is due again after its backoff, Infinity when this was the last attempt */
function* recordFailure(deps: Deps, { lease, outcome, endedAt }: Attempt): Script<number> {
  const { delivery } = lease;
  const { attempts, max_attempts: most } = delivery;
  const made = attempts + 1;
  const state = made >= most || outcome.end === 'closed' ? 'FAILED' : 'PENDING';
  const backoffSeconds = Math.max(deps.settings.webhookRetrySeconds[made] ?? 0, outcome.waitSeconds ?? 0);
  const nextAt = endedAt + backoffSeconds * 1000;
  yield* markUndelivered(delivery, deps.settings.nodeId, { state, nextAt });
  return state === 'PENDING' ? nextAt : Number.POSITIVE_INFINITY;
}

function rowOf(deps: Deps, { endpoint, lease, outcome, endedAt }: Attempt): AttemptRow {
  const { delivery } = lease;
  const { row, kind } = endpoint.target;
  const attempt = delivery.attempts + 1;
  return {
    id: deps.newId('whl_'),
    tenant_id: delivery.tenant_id,
    delivery_id: delivery.id,
    webhook_id: delivery.webhook_id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    url: kind?.logUrl?.(row) ?? row.url,
    attempt,
    outcome: outcome.ok ? 'delivered' : attempt >= delivery.max_attempts ? 'failed' : 'retrying',
    status: outcome.status,
    duration_ms: outcome.durationMs,
    error: outcome.error ?? null,
    answer: outcome.answer === '' ? null : outcome.answer,
    delivered_at: endedAt,
  };
}

/**
 * Notes since when an endpoint fails: from its first failure on, until a post succeeds. The row decides, not what this node
 * read when it leased the deliveries: other posts, of other nodes too, have ended since.
 */
function* recordFailing(attempts: readonly Attempt[]): Script<void> {
  const reached = new Set(attempts.filter(({ outcome }) => outcome.ok).map(({ endpoint }) => endpoint.id));
  const failing = new Map<string, number>();
  for (const { endpoint, endedAt } of attempts) {
    if (!reached.has(endpoint.id)) failing.set(endpoint.id, Math.min(endedAt, failing.get(endpoint.id) ?? endedAt));
  }
  yield* setReached([...reached]);
  for (const [id, since] of failing) yield* setFailing(id, since);
}
