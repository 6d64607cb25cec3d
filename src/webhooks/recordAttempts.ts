/** Records attempts that have ended: the log, the deliveries' next states, and since when an endpoint fails. */

import { originOf } from '../domain/notifications/noticePlace.ts';
import { type AttemptRow, insertAttempts } from '../store/statements/webhooks/attempts.ts';
import { markDelivered, markUndelivered } from '../store/statements/webhooks/deliveries.ts';
import { setFailing, setReached, type WebhookRow } from '../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from '../usecase/deps.ts';
import type { Endpoint, Lease } from './endpointHealth.ts';
import type { Outcome } from './postEvent.ts';

/** A notice that comes later than this is of no use. */
const MOST_ASKED_SECONDS = 3600;

/** An attempt at a delivery, and how it ended. */
export interface Attempt {
  readonly endpoint: Endpoint;
  readonly lease: Lease;
  readonly outcome: Outcome;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

/** The places whose receiver says that they are there no more, each once. */
export function removedOf(attempts: readonly Attempt[]): WebhookRow[] {
  return rowsOf(attempts.filter(({ endpoint, outcome }) => endpoint.target.removedBy.includes(outcome.status)));
}

/** The places whose receiver says that it takes nothing more, each once. */
export function endedOf(attempts: readonly Attempt[]): WebhookRow[] {
  return rowsOf(attempts.filter(({ endpoint, outcome }) => hasEnded(endpoint, outcome)));
}

function hasEnded({ target }: Endpoint, { status, ended }: Outcome): boolean {
  return ended === true || target.endedBy.includes(status);
}

function rowsOf(attempts: readonly Attempt[]): WebhookRow[] {
  return [...new Map(attempts.map(({ endpoint: { target } }) => [target.row.id, target.row])).values()];
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
function* recordFailure(deps: Deps, { endpoint, lease, outcome, endedAt }: Attempt): Script<number> {
  const { delivery } = lease;
  const { attempts, max_attempts: most } = delivery;
  const made = attempts + 1;
  const state = made >= most || hasEnded(endpoint, outcome) ? 'FAILED' : 'PENDING';
  const backoffSeconds = Math.max(deps.settings.webhookRetrySeconds[made] ?? 0, askedSeconds(endpoint, outcome));
  const nextAt = endedAt + backoffSeconds * 1000;
  yield* markUndelivered(delivery, deps.settings.nodeId, { state, nextAt });
  return state === 'PENDING' ? nextAt : Number.POSITIVE_INFINITY;
}

/** What a service that notices go through asks to wait. An owner's endpoint is tried as its subscription promises. */
function askedSeconds({ target }: Endpoint, { retryAfterSeconds = 0 }: Outcome): number {
  return target.row.user_id === null ? 0 : Math.min(retryAfterSeconds, MOST_ASKED_SECONDS);
}

function rowOf(deps: Deps, { endpoint, lease, outcome, endedAt }: Attempt): AttemptRow {
  const { delivery } = lease;
  const { row } = endpoint.target;
  const attempt = delivery.attempts + 1;
  return {
    id: deps.newId('whl_'),
    tenant_id: delivery.tenant_id,
    delivery_id: delivery.id,
    webhook_id: delivery.webhook_id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    // The log is for who administers; where a person is told of things is theirs to know.
    url: row.user_id === null ? row.url : originOf(row),
    attempt,
    outcome: outcome.ok ? 'delivered' : attempt >= delivery.max_attempts ? 'failed' : 'retrying',
    status: outcome.status,
    duration_ms: outcome.durationMs,
    error: outcome.error ?? null,
    // An ntfy server repeats its topic; and a user with read permission alone would see what answers in the node's own network.
    answer: row.user_id !== null || outcome.answer === '' ? null : outcome.answer,
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
