-- Webhooks: who wants which events, what is still to be delivered, and every attempt at it.

-- A new text for each change of a tenant's subscriptions, so that nodes can tell whether what they remember still
-- holds; empty while the tenant never had one.
ALTER TABLE tenants ADD COLUMN webhooks_version TEXT NOT NULL DEFAULT '';

-- Secrets are sealed. The former one signs beside the new one until previous_until.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  status TEXT NOT NULL,
  disabled_reason TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until BIGINT,
  failing_since BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX webhooks_by_tenant ON webhooks (tenant_id, id);

-- The JSON text that is signed and posted, once for all who get it.
CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  body TEXT NOT NULL
);

-- One row for each event and subscription. PENDING waits for next_at; LEASED is being posted by a node, at most
-- until next_at; HELD waits for its subscription to be active again; DELIVERED and FAILED are over.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  max_attempts BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  leased_by TEXT,
  created_at BIGINT NOT NULL
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE state = 'PENDING';
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (leased_by) WHERE state = 'LEASED';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (webhook_id) WHERE state = 'HELD';

CREATE TABLE webhook_attempts (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  url TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  -- The state of the delivery after this attempt.
  outcome TEXT NOT NULL,
  -- 0 where there was no answer.
  status BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  error TEXT,
  answer TEXT,
  delivered_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
