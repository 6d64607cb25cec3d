-- The first schema. One text for SQLite and PostgreSQL: times are integer milliseconds, money integer minor
-- units, JSON is text, flags are 0 or 1, every row carries its tenant.

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE tenants (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  permissions TEXT NOT NULL,
  tier TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoked_at BIGINT
);
CREATE INDEX api_keys_by_tenant ON api_keys (tenant_id, id);

CREATE TABLE agents (
  did TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  status TEXT NOT NULL,
  display_name TEXT NOT NULL,
  description TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  velocity TEXT,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  reason TEXT
);
CREATE INDEX agents_by_tenant ON agents (tenant_id, created_at, did);

CREATE TABLE policies (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  version BIGINT NOT NULL,
  name TEXT NOT NULL,
  rules TEXT NOT NULL,
  hash TEXT NOT NULL,
  is_active BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id, version)
);
CREATE UNIQUE INDEX policies_current ON policies (tenant_id) WHERE is_active = 1;

CREATE TABLE merchants (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  domain TEXT NOT NULL,
  did TEXT NOT NULL,
  rail_account_id TEXT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX merchants_by_domain ON merchants (tenant_id, domain, did);

-- reserved_minor counts against spending limits: the maximum at issue, the amount once paid, 0 once released.
CREATE TABLE intents (
  tenant_id TEXT NOT NULL,
  mandate_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  context_id TEXT,
  agent_did TEXT NOT NULL,
  principal_did TEXT NOT NULL,
  status TEXT NOT NULL,
  max_minor BIGINT NOT NULL,
  reserved_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  merchant_domain TEXT,
  mcc TEXT,
  country TEXT,
  policy_id TEXT NOT NULL,
  policy_version BIGINT NOT NULL,
  policy_hash TEXT NOT NULL,
  credential TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, mandate_id)
);
CREATE INDEX intents_by_agent ON intents (tenant_id, agent_did, mandate_id);
CREATE INDEX intents_to_expire ON intents (expires_at) WHERE status = 'ACTIVE';

-- A sliding window kept up to date: what it holds, and the id up to which intents have left it.
CREATE TABLE velocity_windows (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  window_ms BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  amounts TEXT NOT NULL,
  left_through TEXT NOT NULL,
  PRIMARY KEY (tenant_id, scope, window_ms)
);

CREATE TABLE approvals (
  token_hash TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  intent_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  status TEXT NOT NULL,
  cart_hash TEXT NOT NULL,
  cart TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  merchant TEXT NOT NULL,
  rail TEXT NOT NULL,
  rail_account_id TEXT,
  presence_id TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX approvals_live ON approvals (tenant_id, intent_id) WHERE status = 'LIVE';
CREATE INDEX approvals_by_cart ON approvals (tenant_id, cart_hash);

CREATE TABLE presence_used (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE payments (
  tenant_id TEXT NOT NULL,
  mandate_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  context_id TEXT,
  intent_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  principal_did TEXT NOT NULL,
  status TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  captured_minor BIGINT NOT NULL,
  refunded_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  merchant TEXT NOT NULL,
  rail TEXT NOT NULL,
  rail_id TEXT,
  credential TEXT NOT NULL,
  error_code TEXT,
  error_message TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, mandate_id)
);
CREATE UNIQUE INDEX payments_by_intent ON payments (tenant_id, intent_id);
CREATE INDEX payments_by_transaction ON payments (tenant_id, transaction_id);
CREATE INDEX payments_by_agent ON payments (tenant_id, agent_did, merchant, mandate_id);

-- One row for each thing asked of a rail, written before it is asked, so that a crash leaves a trace to follow.
CREATE TABLE rail_attempts (
  attempt_key TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  parameters TEXT NOT NULL,
  state TEXT NOT NULL,
  tries BIGINT NOT NULL,
  node_id TEXT NOT NULL,
  next_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX rail_attempts_open ON rail_attempts (next_at) WHERE state = 'OPEN';
CREATE INDEX rail_attempts_by_payment ON rail_attempts (tenant_id, payment_id);

-- Requests that may come twice: idempotency keys of the facade, message ids between agents.
CREATE TABLE requests (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  request_key TEXT NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL,
  gate TEXT NOT NULL,
  envelope TEXT NOT NULL,
  answer TEXT,
  attempt_key TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, request_key)
);
CREATE INDEX requests_by_age ON requests (created_at);
CREATE INDEX requests_open ON requests (attempt_key) WHERE attempt_key IS NOT NULL;

CREATE TABLE proofs_seen (
  did TEXT NOT NULL,
  jti TEXT NOT NULL,
  request_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (did, jti)
);
CREATE INDEX proofs_seen_by_age ON proofs_seen (expires_at);

CREATE TABLE sessions (
  tenant_id TEXT NOT NULL,
  context_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  user_did TEXT NOT NULL,
  status TEXT NOT NULL,
  message_count BIGINT NOT NULL,
  intent_mandate_id TEXT,
  permit_id TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, context_id)
);

CREATE TABLE evidence (
  tenant_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  actor_did TEXT NOT NULL,
  data TEXT NOT NULL,
  hash_prev TEXT NOT NULL,
  hash_curr TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  transaction_id TEXT,
  context_id TEXT,
  PRIMARY KEY (tenant_id, seq)
);
CREATE INDEX evidence_by_transaction ON evidence (tenant_id, transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX evidence_by_context ON evidence (tenant_id, context_id) WHERE context_id IS NOT NULL;
CREATE INDEX evidence_by_type ON evidence (tenant_id, event_type, seq);
CREATE INDEX evidence_by_actor ON evidence (tenant_id, actor_did, seq);

CREATE TABLE nodes (
  node_id TEXT PRIMARY KEY,
  seen_at BIGINT NOT NULL
);

-- What the sandbox rail remembers of the payments it was asked for, as a real rail would on its own side.
CREATE TABLE sandbox_rail (
  attempt_key TEXT PRIMARY KEY,
  parameters TEXT NOT NULL,
  outcome TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
