-- People's passkeys, the ceremonies under way, and what people were asked to approve.

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  agent_did TEXT NOT NULL,
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE key (RFC 9052), base64url.
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  device_name TEXT NOT NULL,
  is_synced BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT
);
CREATE INDEX passkeys_by_agent ON passkeys (tenant_id, agent_did, id);

-- A challenge is deleted by its first use, before anything about that use is known to be right.
CREATE TABLE presence_challenges (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  purpose TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  challenge TEXT NOT NULL UNIQUE,
  binding TEXT NOT NULL,
  -- The approval or the enrollment link that the ceremony is for.
  subject_id TEXT,
  device_name TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX presence_challenges_by_age ON presence_challenges (expires_at);

CREATE TABLE enrollments (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  token_hash TEXT NOT NULL UNIQUE,
  agent_did TEXT NOT NULL,
  device_name TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX enrollments_by_age ON enrollments (expires_at);

CREATE TABLE approval_requests (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  status TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  principal_did TEXT NOT NULL,
  intent_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  context_id TEXT,
  cart_hash TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  merchant TEXT NOT NULL,
  items TEXT NOT NULL,
  causes TEXT NOT NULL,
  hp_proof TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_at BIGINT
);
CREATE INDEX approval_requests_by_tenant ON approval_requests (tenant_id, id);
CREATE INDEX approval_requests_by_cart ON approval_requests (tenant_id, intent_id, cart_hash);
CREATE INDEX approval_requests_to_expire ON approval_requests (expires_at) WHERE status = 'pending';
