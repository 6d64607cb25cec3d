/** Webhook deliveries: one row for each event and subscription, with its state and the node that has leased it. */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, count, exists, get, run, type Script } from '../../store.ts';
import { ofGoneNode } from '../node/nodes.ts';
import { type DeleteOldest, deleteOldest, inBatches } from '../queries.ts';
import {
  DAY_MS,
  insertInto,
  integer,
  nullable,
  oneOf,
  placeholders,
  type RowOf,
  table,
  text,
} from '../tableDefinition.ts';

export const webhookDeliveries = table(
  'webhook_deliveries',
  ['id'],
  {
    id: text,
    tenant_id: text,
    webhook_id: text,
    event_id: text,
    event_type: text,
    state: oneOf<'PENDING' | 'LEASED' | 'HELD' | 'DELIVERED' | 'FAILED'>(),
    /** Attempts made. */
    attempts: integer,
    max_attempts: integer,
    /** When the next attempt is due; while leased, when the lease ends. */
    next_at: integer,
    leased_by: nullable(text),
    created_at: integer,
  },
  {
    retention: {
      goes: '30 days after it was made, or after 7 where its subscription is paused',
      purges: [
        (limit, now) => deleteDeliveriesBefore(limit, firstIdAt('whd_', now - 30 * DAY_MS)),
        (limit, now) => deleteHeldDeliveriesBefore(limit, firstIdAt('whd_', now - 7 * DAY_MS)),
      ],
    },
    isTestData: false,
  },
);
type DeliveryRow = RowOf<typeof webhookDeliveries>;

export const insertDelivery = insertInto(webhookDeliveries);

/**
 * Every subscription with pending deliveries, and when the earliest is due; those that were resumed and still hold some are
 * due now. The query jumps from one subscription to the next in the index, so that a long queue costs no more than a short one.
 */
export function listQueues(): Script<{ readonly webhook_id: string; readonly due_at: number }[]> {
  return all(
    `WITH RECURSIVE queues (webhook_id) AS (
       SELECT MIN(webhook_id) FROM webhook_deliveries WHERE state = 'PENDING'
       UNION ALL
       SELECT (SELECT MIN(webhook_id) FROM webhook_deliveries WHERE state = 'PENDING' AND webhook_id > queues.webhook_id)
       FROM queues WHERE queues.webhook_id IS NOT NULL)
     SELECT webhook_id, (SELECT MIN(next_at) FROM webhook_deliveries AS waiting
       WHERE waiting.state = 'PENDING' AND waiting.webhook_id = queues.webhook_id) AS due_at
     FROM queues WHERE webhook_id IS NOT NULL
     UNION ALL SELECT id, 0 FROM webhooks WHERE resuming = 1`,
  );
}

export type LeasedRow = Pick<
  DeliveryRow,
  'id' | 'tenant_id' | 'webhook_id' | 'event_id' | 'event_type' | 'attempts' | 'max_attempts'
>;

/** Leases due deliveries of one subscription to a node, the longest due first. @param until when the lease ends */
export function leaseDueDeliveries(
  webhookId: string,
  nodeId: string,
  now: number,
  until: number,
  limit: number,
): Script<LeasedRow[]> {
  return all(
    `UPDATE webhook_deliveries SET state = 'LEASED', leased_by = ?, next_at = ? WHERE id IN
       (SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state = 'PENDING' AND next_at <= ?
        ORDER BY next_at LIMIT ?)
     RETURNING id, tenant_id, webhook_id, event_id, event_type, attempts, max_attempts`,
    nodeId,
    until,
    webhookId,
    now,
    limit,
  );
}

/**
 * Makes pending deliveries of a subscription that are due later than their backoff from now due after their backoff. It reads
 * those alone that are not due yet, so that a long queue costs no more than a short one.
 * @param backoffMs before each attempt @param slackMs how much later is left alone
 */
export function hastenDeliveries(
  webhookId: string,
  now: number,
  backoffMs: readonly number[],
  slackMs: number,
): Script<number> {
  const backoff = `CASE attempts ${backoffMs.map((ms, made) => `WHEN ${made} THEN ${ms}`).join(' ')} ELSE 0 END`;
  const sql = `UPDATE webhook_deliveries SET next_at = CAST(? AS BIGINT) + ${backoff}
     WHERE webhook_id = ? AND state = 'PENDING' AND next_at > ? AND next_at > CAST(? AS BIGINT) + ${backoff}`;
  return run(sql, now, webhookId, now + slackMs, now + slackMs);
}

/** Leases deliveries that a subscription holds to a node, in the order in which they were made. */
export function* leaseHeldDeliveries(
  webhookId: string,
  nodeId: string,
  until: number,
  limit: number,
): Script<LeasedRow[]> {
  const leased = yield* all<LeasedRow>(
    `UPDATE webhook_deliveries SET state = 'LEASED', leased_by = ?, next_at = ? WHERE id IN
       (SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state = 'HELD' ORDER BY id LIMIT ?)
     RETURNING id, tenant_id, webhook_id, event_id, event_type, attempts, max_attempts`,
    nodeId,
    until,
    webhookId,
    limit,
  );
  // RETURNING promises no order.
  return leased.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether other nodes have leased deliveries of a subscription. */
export function isLeasedElsewhere(webhookId: string, nodeId: string): Script<boolean> {
  const sql = `SELECT id FROM webhook_deliveries WHERE state = 'LEASED' AND webhook_id = ? AND leased_by <> ? LIMIT 1`;
  return exists(sql, webhookId, nodeId);
}

/** A lease has ended, or its node is gone. */
const LOST = `state = 'LEASED' AND (next_at <= ? OR ${ofGoneNode('leased_by')})`;

/** @param nodeId the node that asks */
export function hasLostLeases(nodeId: string, now: number, deadBefore: number): Script<boolean> {
  return exists(`SELECT id FROM webhook_deliveries WHERE ${LOST} LIMIT 1`, now, nodeId, deadBefore);
}

/** Makes deliveries due again, from `dueAt` on, whose lease is lost. */
export function releaseLostLeases(nodeId: string, dueAt: number, now: number, deadBefore: number): Script<number> {
  const sql = `UPDATE webhook_deliveries SET state = 'PENDING', leased_by = NULL, next_at = ? WHERE ${LOST}`;
  return run(sql, dueAt, now, nodeId, deadBefore);
}

/** Releases a lease that a node has not used. */
export function releaseDelivery(id: string, nodeId: string, now: number): Script<number> {
  const sql = `UPDATE webhook_deliveries SET state = 'PENDING', leased_by = NULL, next_at = ?
     WHERE id = ? AND state = 'LEASED' AND leased_by = ?`;
  return run(sql, now, id, nodeId);
}

export function* markDelivered(ids: readonly string[], nodeId: string): Script<void> {
  for (const batch of inBatches(ids)) {
    const sql = `UPDATE webhook_deliveries SET state = 'DELIVERED', attempts = attempts + 1, leased_by = NULL
     WHERE id IN ${placeholders(batch)} AND state = 'LEASED' AND leased_by = ?`;
    yield* run(sql, ...batch, nodeId);
  }
}

/**
 * Records a failed attempt, unless the delivery was leased once more in the meantime, to the same node even, for the attempt after it.
 * Where the subscription was paused meanwhile, the delivery is held when it is due.
 * @param attempts how many were made before this one, when it was leased
 */
export function markUndelivered(
  { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
  nodeId: string,
  next: { readonly state: 'PENDING' | 'FAILED'; readonly nextAt: number },
): Script<number> {
  return run(
    `UPDATE webhook_deliveries SET attempts = attempts + 1, leased_by = NULL, next_at = ?, state = ?
     WHERE id = ? AND state = 'LEASED' AND leased_by = ? AND attempts = ?`,
    next.nextAt,
    next.state,
    id,
    nodeId,
    attempts,
  );
}

/** Holds the pending deliveries of a subscription that is disabled, until it is active again. */
export function holdDeliveries(webhookId: string): Script<number> {
  return run("UPDATE webhook_deliveries SET state = 'HELD' WHERE webhook_id = ? AND state = 'PENDING'", webhookId);
}

const NOT_DONE = ['PENDING', 'LEASED', 'HELD'];

/** Deletes the deliveries of a deleted subscription that are not done. */
export function* dropDeliveries(webhookId: string): Script<void> {
  for (const state of NOT_DONE) {
    yield* run(`DELETE FROM webhook_deliveries WHERE webhook_id = ? AND state = '${state}'`, webhookId);
  }
}

/**
 * As dropDeliveries, of a subscription that was not found. On PostgreSQL its commit may have come since, with deliveries in
 * it: the statement that sees these sees the subscription too.
 */
export function* dropOrphans(webhookId: string): Script<void> {
  for (const state of NOT_DONE) {
    const sql = `DELETE FROM webhook_deliveries WHERE webhook_id = ? AND state = '${state}'
       AND NOT EXISTS (SELECT 1 FROM webhooks WHERE id = ?)`;
    yield* run(sql, webhookId, webhookId);
  }
}

/** How many deliveries of a subscription are due, later, or under way, up to `most`; in one statement, since they move between the states. */
export function* countPending(webhookId: string, most: number): Script<number> {
  const [due, leased] = [countIn('PENDING'), countIn('LEASED')];
  const pending = yield* count(`SELECT ${due} + ${leased} AS count`, webhookId, most, webhookId, most);
  return Math.min(most, pending);
}

/** How many deliveries of a subscription are held until it is resumed, up to `most`. */
export function countHeld(webhookId: string, most: number): Script<number> {
  return count(`SELECT ${countIn('HELD')} AS count`, webhookId, most);
}

/** Takes the subscription and the most to count. The state is a part of the text, since only by it is the index of such deliveries found. */
function countIn(state: 'PENDING' | 'LEASED' | 'HELD'): string {
  const found = `SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state = '${state}' LIMIT ?`;
  return `(SELECT COUNT(*) FROM (${found}) AS found)`;
}

/** How many deliveries are pending or leased. */
export function* countUndelivered(): Script<number> {
  const row = yield* get<{ waiting: number }>(
    `SELECT (SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'PENDING')
       + (SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'LEASED') AS waiting`,
  );
  return row?.waiting ?? 0;
}

/** Deletes deliveries that are done. @param args the smallest id that stays */
const deleteDeliveriesBefore: DeleteOldest = deleteOldest(
  webhookDeliveries,
  "id < ? AND state IN ('DELIVERED', 'FAILED')",
  'id',
);

/** Deletes deliveries that wait for their subscription to be active again. @param args the smallest id that stays */
const deleteHeldDeliveriesBefore: DeleteOldest = deleteOldest(webhookDeliveries, "state = 'HELD' AND id < ?", 'id');
