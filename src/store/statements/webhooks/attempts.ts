/** The delivery log: one record for each attempt. */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { get, type Script, together } from '../../store.ts';
import { type DeleteOldest, deleteOldest, earlier, equal, findById, inBatches, listPage } from '../queries.ts';
import { DAY_MS, insertManyInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';

export const webhookAttempts = table(
  'webhook_attempts',
  ['tenant_id', 'id'],
  {
    tenant_id: text,
    id: text,
    delivery_id: text,
    webhook_id: text,
    event_id: text,
    event_type: text,
    url: text,
    /** The number of this attempt at its delivery, from 1. */
    attempt: integer,
    outcome: oneOf<'delivered' | 'retrying' | 'failed'>(),
    /** HTTP status; 0 when there was no answer. */
    status: integer,
    duration_ms: integer,
    /** The kind of failure; null for a success. */
    error: nullable(text),
    /** The first 1 KiB of the answer. */
    answer: nullable(text),
    delivered_at: integer,
  },
  {
    retention: {
      goes: 'after 30 days',
      purges: [(limit, now, tenantId) => deleteAttemptsBefore(limit, tenantId, firstIdAt('whl_', now - 30 * DAY_MS))],
      byTenant: true,
    },
    isTestData: false,
  },
);
export type AttemptRow = RowOf<typeof webhookAttempts>;

const insertBatch = insertManyInto(webhookAttempts);

export function* insertAttempts(attempts: readonly AttemptRow[]): Script<void> {
  for (const batch of inBatches(attempts)) yield* insertBatch(batch);
}

export const findAttempt = findById(webhookAttempts);

/** The first attempt at a delivery. @param since the smallest id that it can have */
export function findAttemptOf(tenantId: string, deliveryId: string, since: string): Script<AttemptRow | undefined> {
  const sql = 'SELECT * FROM webhook_attempts WHERE tenant_id = ? AND id >= ? AND delivery_id = ? ORDER BY id LIMIT 1';
  return get(sql, tenantId, since, deliveryId);
}

/** Newest first; `before` is the id of the last one on the page before. @param filter.eventIds any of these */
export function* listAttempts(
  tenantId: string,
  filter: { readonly webhookId?: string | undefined; readonly eventIds?: readonly string[] | undefined },
  before: string | undefined,
  limit: number,
): Script<AttemptRow[]> {
  const { webhookId, eventIds = [undefined] } = filter;
  const listOf = (eventId: string | undefined) => {
    const conditions = [
      equal('tenant_id', tenantId),
      earlier('id', before),
      equal('webhook_id', webhookId),
      equal('event_id', eventId),
    ];
    return listPage(webhookAttempts, conditions, 'id DESC', limit);
  };
  // Each by the index: of several in one query an engine may read the whole log.
  const found = (yield* together(...eventIds.map(listOf))).flat();
  return found.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
}

/** @param args the tenant, and the smallest id that stays */
const deleteAttemptsBefore: DeleteOldest = deleteOldest(webhookAttempts, 'tenant_id = ? AND id < ?', 'id');
