/** Webhook subscriptions of a tenant. */
import { all, get, run, type Script } from '../../store.ts';

export interface WebhookRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly url: string;
  /** Event types, separated by spaces. */
  readonly events: string;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly disabled_reason: string | null;
  /** Sealed. */
  readonly secret: string;
  /** Sealed; signs beside the new one until `previous_until`. */
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
  /** Since when every attempt has failed; null while none has. */
  readonly failing_since: number | null;
  readonly created_at: number;
}

export function* insertWebhook(webhook: WebhookRow): Script<void> {
  yield* run(
    `INSERT INTO webhooks (id, tenant_id, url, events, status, disabled_reason, secret, previous_secret, previous_until,
       failing_since, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    webhook.id,
    webhook.tenant_id,
    webhook.url,
    webhook.events,
    webhook.status,
    webhook.disabled_reason,
    webhook.secret,
    webhook.previous_secret,
    webhook.previous_until,
    webhook.failing_since,
    webhook.created_at,
  );
}

/** Writes everything an owner can change. */
export function* updateWebhookRow(webhook: WebhookRow): Script<void> {
  yield* run(
    `UPDATE webhooks SET url = ?, events = ?, status = ?, disabled_reason = ?, secret = ?, previous_secret = ?,
       previous_until = ?, failing_since = ? WHERE tenant_id = ? AND id = ?`,
    webhook.url,
    webhook.events,
    webhook.status,
    webhook.disabled_reason,
    webhook.secret,
    webhook.previous_secret,
    webhook.previous_until,
    webhook.failing_since,
    webhook.tenant_id,
    webhook.id,
  );
}

export function* deleteWebhookRow(tenantId: string, id: string): Script<void> {
  yield* run('DELETE FROM webhooks WHERE tenant_id = ? AND id = ?', tenantId, id);
}

export function* findWebhook(tenantId: string, id: string): Script<WebhookRow | undefined> {
  return yield* get<WebhookRow>('SELECT * FROM webhooks WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** A subscription of any tenant, for the worker that serves them all. */
export function* findWebhookAnywhere(id: string): Script<WebhookRow | undefined> {
  return yield* get<WebhookRow>('SELECT * FROM webhooks WHERE id = ?', id);
}

/** Newest first; `before` is the id of the last one on the page before. */
export function* listWebhooks(tenantId: string, before: string | undefined, limit: number): Script<WebhookRow[]> {
  return yield* all<WebhookRow>(
    'SELECT * FROM webhooks WHERE tenant_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
    tenantId,
    before ?? '~',
    limit,
  );
}

export interface SubscriptionRow {
  readonly id: string;
  readonly events: string;
}

export function* listSubscriptions(tenantId: string): Script<SubscriptionRow[]> {
  return yield* all<SubscriptionRow>(
    "SELECT id, events FROM webhooks WHERE tenant_id = ? AND status = 'ACTIVE' ORDER BY id",
    tenantId,
  );
}

export function* countWebhooks(tenantId: string): Script<number> {
  const row = yield* get<{ webhooks: number }>(
    'SELECT COUNT(*) AS webhooks FROM webhooks WHERE tenant_id = ?',
    tenantId,
  );
  return row?.webhooks ?? 0;
}

/** Says that the tenant's subscriptions changed. @param version one that no change had before */
export function* setWebhooksVersion(tenantId: string, version: string): Script<void> {
  yield* run('UPDATE tenants SET webhooks_version = ? WHERE id = ?', version, tenantId);
}

export function* findWebhooksVersion(tenantId: string): Script<string> {
  const row = yield* get<{ webhooks_version: string }>('SELECT webhooks_version FROM tenants WHERE id = ?', tenantId);
  return row?.webhooks_version ?? '';
}

/** Notes since when a subscription's attempts have failed, or with null that one did not. */
export function* setFailingSince(id: string, since: number | null): Script<void> {
  yield* run(
    since === null
      ? 'UPDATE webhooks SET failing_since = ? WHERE id = ? AND failing_since IS NOT NULL'
      : 'UPDATE webhooks SET failing_since = ? WHERE id = ? AND failing_since IS NULL',
    since,
    id,
  );
}
