/** Webhook subscriptions of a tenant. */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, allCached, changed, count, get, run, type Script, type Store, send } from '../../store.ts';
import {
  type Condition,
  type DeleteOldest,
  deleteById,
  deleteOldest,
  earlier,
  equal,
  inBatches,
  listPage,
} from '../queries.ts';
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
  updateOf,
} from '../tableDefinition.ts';

export const webhooks = table(
  'webhooks',
  ['id'],
  {
    id: text,
    tenant_id: text,
    url: text,
    /** Event types, separated by spaces. */
    events: text,
    status: oneOf<'ACTIVE' | 'DISABLED'>(),
    disabled_reason: nullable(text),
    /** Sealed. */
    secret: text,
    /** Sealed; signs together with the new one until `previous_until`. */
    previous_secret: nullable(text),
    previous_until: nullable(integer),
    /** The one before that, sealed; signs too until `older_until`. */
    older_secret: nullable(text),
    older_until: nullable(integer),
    /** Since when every attempt has failed; null after a success. */
    failing_since: nullable(integer),
    created_at: integer,
    /** 1 while what was held in a pause is being delivered, the oldest first; else 0. */
    resuming: integer,
    /** The task whose updates are posted; null for a subscription of the tenant's owner. */
    task_id: nullable(text),
    /** The person whose notifications are sent there; null for all others. */
    user_id: nullable(text),
    /** From which amount on that person is told of payments, as JSON; null for every one. */
    least: nullable(text),
    /** When that person is sent a digest, as JSON; null where none is. */
    digest: nullable(text),
    /** When the next one is due. */
    digest_at: nullable(integer),
  },
  {
    retention: {
      goes: 'when its owner removes it, or with its task',
      purges: [(limit, now) => deletePushesOfGoneTasks(limit, firstIdAt('task_', now - DAY_MS))],
    },
    // A reset deletes those of tasks (reset.ts); the others were configured.
    isTestData: false,
  },
);
export type WebhookRow = RowOf<typeof webhooks>;

const OF_OWNER: Condition = ['task_id IS NULL AND user_id IS NULL'];

export const insertWebhook = insertInto(webhooks);

/** Writes what an owner can change. How the endpoint does is the delivery worker's to write. */
export const updateWebhookRow = updateOf(webhooks, {
  set: [
    'url',
    'events',
    'status',
    'disabled_reason',
    'secret',
    'previous_secret',
    'previous_until',
    'older_secret',
    'older_until',
    'resuming',
  ],
  where: ['tenant_id', 'id'],
});

export const deleteWebhookRow = deleteById(webhooks);

/** A subscription of the tenant's owner. */
export function findWebhook(tenantId: string, id: string): Script<WebhookRow | undefined> {
  return get(
    'SELECT * FROM webhooks WHERE tenant_id = ? AND id = ? AND task_id IS NULL AND user_id IS NULL',
    tenantId,
    id,
  );
}

/**
 * A subscription of any tenant, for the worker that serves them all. It stays as it is until the transaction ends: on
 * PostgreSQL its owner could pause or resume it between two statements of the worker, which would then hold deliveries of
 * an active one.
 */
export function lockWebhook(engine: Store['engine'], id: string): Script<WebhookRow | undefined> {
  return get(`SELECT * FROM webhooks WHERE id = ?${engine === 'postgres' ? ' FOR UPDATE' : ''}`, id);
}

/** Newest first; `before` is the id of the last one on the page before. */
export function listWebhooks(tenantId: string, before: string | undefined, limit: number): Script<WebhookRow[]> {
  const conditions = [equal('tenant_id', tenantId), OF_OWNER, earlier('id', before)];
  return listPage(webhooks, conditions, 'id DESC', limit);
}

export type SubscriptionRow = Pick<WebhookRow, 'id' | 'events' | 'status' | 'user_id' | 'least' | 'disabled_reason'>;

/** Of the tenant's owner, and of people. */
export function listSubscriptions(tenantId: string): Script<SubscriptionRow[]> {
  const columns = 'id, events, status, user_id, least, disabled_reason';
  return all(`SELECT ${columns} FROM webhooks WHERE tenant_id = ? AND task_id IS NULL ORDER BY id`, tenantId);
}

export function countWebhooks(tenantId: string): Script<number> {
  const sql = 'SELECT COUNT(*) AS count FROM webhooks WHERE tenant_id = ? AND task_id IS NULL AND user_id IS NULL';
  return count(sql, tenantId);
}

/** Records that the tenant's subscriptions changed. @param version one that was never used before */
export function setWebhooksVersion(tenantId: string, version: string): Script<void> {
  return send('UPDATE tenants SET webhooks_version = ? WHERE id = ?', version, tenantId);
}

const TENANTS = { tables: ['tenants'] };

export function* findWebhooksVersion(tenantId: string): Script<string> {
  const sql = 'SELECT webhooks_version AS version FROM tenants WHERE id = ?';
  return (yield* allCached<{ version: string }>(TENANTS, sql, tenantId))[0]?.version ?? '';
}

/** Records that posts to a subscription fail from `since` on, unless they have failed from earlier on. */
export function setFailing(id: string, since: number): Script<number> {
  return run('UPDATE webhooks SET failing_since = ? WHERE id = ? AND failing_since IS NULL', since, id);
}

/** Records that posts to these subscriptions arrive. */
export function* setReached(ids: readonly string[]): Script<void> {
  for (const batch of inBatches(ids)) {
    const sql = `UPDATE webhooks SET failing_since = NULL WHERE id IN ${placeholders(batch)} AND failing_since IS NOT NULL`;
    yield* run(sql, ...batch);
  }
}

/** Records that nothing is held any more of a subscription that was resumed. */
export function endResuming(id: string): Script<number> {
  return run('UPDATE webhooks SET resuming = 0 WHERE id = ?', id);
}

export function listSealedSecrets(): Script<WebhookRow[]> {
  return all('SELECT * FROM webhooks ORDER BY id');
}

export const saveSealedSecrets = updateOf(webhooks, {
  set: ['secret', 'previous_secret', 'older_secret'],
  where: ['id'],
});

/** Active subscriptions that nothing has reached since a time, of all tenants; the longest failing first. */
export function listFailingWebhooks(since: number, limit: number): Script<WebhookRow[]> {
  const sql = `SELECT * FROM webhooks WHERE status = 'ACTIVE' AND failing_since <= ? AND task_id IS NULL AND user_id IS NULL
     ORDER BY failing_since LIMIT ?`;
  return all(sql, since, limit);
}

/** As listFailingWebhooks, those of one tenant's owner. */
export function listFailingOf(tenantId: string, since: number, limit: number): Script<WebhookRow[]> {
  const failing: Condition = ["status = 'ACTIVE' AND failing_since <= ?", since];
  return listPage(webhooks, [equal('tenant_id', tenantId), OF_OWNER, failing], 'failing_since', limit);
}

export function countFailingWebhooks(since: number): Script<number> {
  const sql = `SELECT COUNT(*) AS count FROM webhooks WHERE status = 'ACTIVE' AND failing_since <= ? AND task_id IS NULL
     AND user_id IS NULL`;
  return count(sql, since);
}

/** The places that a task's updates are posted to, the oldest first. */
export function listTaskPushes(taskId: string): Script<WebhookRow[]> {
  return all('SELECT * FROM webhooks WHERE task_id = ? ORDER BY id', taskId);
}

export function deleteTaskPush(id: string): Script<number> {
  return run('DELETE FROM webhooks WHERE id = ? AND task_id IS NOT NULL', id);
}

/** Deletes the places of tasks that are there no more. @param args the smallest id that a task of today may have */
const deletePushesOfGoneTasks: DeleteOldest = deleteOldest(
  webhooks,
  'task_id < ? AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.id = webhooks.task_id)',
  'task_id',
);

/** The places that a person's notifications go to, the oldest first. */
export function listPlacesOf(tenantId: string, userId: string): Script<WebhookRow[]> {
  return all('SELECT * FROM webhooks WHERE tenant_id = ? AND user_id = ? ORDER BY id', tenantId, userId);
}

export function findPlace(tenantId: string, userId: string, id: string): Script<WebhookRow | undefined> {
  return get('SELECT * FROM webhooks WHERE tenant_id = ? AND user_id = ? AND id = ?', tenantId, userId, id);
}

/** The places of all users at one address. */
export function findPlacesAt(tenantId: string, url: string): Script<WebhookRow[]> {
  const sql = 'SELECT * FROM webhooks WHERE tenant_id = ? AND user_id IS NOT NULL AND url = ? ORDER BY id';
  return all(sql, tenantId, url);
}

export const updatePlace = updateOf(webhooks, {
  set: ['events', 'least', 'secret', 'disabled_reason', 'digest', 'digest_at'],
  where: ['tenant_id', 'id'],
});

/** Places whose digest is due, of all tenants; those that are silent get none. */
export function listDueDigests(
  now: number,
  limit: number,
): Script<(WebhookRow & { readonly digest: string; readonly digest_at: number })[]> {
  const sql = `SELECT * FROM webhooks WHERE digest_at <= ? AND disabled_reason IS NULL AND status = 'ACTIVE'
     ORDER BY digest_at LIMIT ?`;
  return all(sql, now, limit);
}

/** False where another node has claimed it, or its person changed it. */
export function claimDigest(id: string, dueAt: number, nextAt: number): Script<boolean> {
  return changed('UPDATE webhooks SET digest_at = ? WHERE id = ? AND digest_at = ?', nextAt, id, dueAt);
}

/** Places at which nothing arrives: those that have ended, and those that have failed since a time; the oldest first. */
export function listSilentPlaces(
  whose: { readonly tenantId?: string | undefined; readonly userId?: string | undefined },
  since: number,
  limit: number,
): Script<WebhookRow[]> {
  const silent: Condition = ["user_id IS NOT NULL AND (disabled_reason = 'ended' OR failing_since <= ?)", since];
  const conditions = [equal('tenant_id', whose.tenantId), equal('user_id', whose.userId), silent];
  return listPage(webhooks, conditions, 'id', limit);
}

/** Says why nothing is told at a place of a person; null where something is. */
export function setSilent(tenantId: string, id: string, reason: string | null): Script<number> {
  const sql = 'UPDATE webhooks SET disabled_reason = ? WHERE tenant_id = ? AND id = ? AND user_id IS NOT NULL';
  return run(sql, reason, tenantId, id);
}

export function deletePlace(tenantId: string, id: string): Script<number> {
  return run('DELETE FROM webhooks WHERE tenant_id = ? AND id = ? AND user_id IS NOT NULL', tenantId, id);
}
