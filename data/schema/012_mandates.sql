-- The node's keys for receipts, shared by the nodes of a deployment: the one that signs is the one without a retirement.
CREATE TABLE receipt_keys (
  kid TEXT PRIMARY KEY,
  x TEXT NOT NULL,
  y TEXT NOT NULL,
  sealed TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  retired_at BIGINT
);

-- Who may sign the first mandate of a chain: an agent's provider, a person's credential, or an issuer of cards.
CREATE TABLE mandate_issuers (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  trusts TEXT NOT NULL,
  jwk TEXT,
  x5c_root TEXT,
  principal_did TEXT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX mandate_issuers_by_trust ON mandate_issuers (tenant_id, trusts);

-- Nonces that the node gave for the last mandate of a chain.
CREATE TABLE mandate_challenges (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  nonce TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  PRIMARY KEY (tenant_id, nonce)
);
CREATE INDEX mandate_challenges_by_agent ON mandate_challenges (tenant_id, agent_did, expires_at);
CREATE INDEX mandate_challenges_by_end ON mandate_challenges (expires_at);

-- What chains of mandates were used for: one checkout of one first mandate, and one last mandate, once each.
CREATE TABLE mandate_uses (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  root_hash TEXT NOT NULL,
  checkout_hash TEXT NOT NULL,
  status TEXT NOT NULL,
  leaf_hash TEXT,
  intent_id TEXT NOT NULL,
  reference TEXT NOT NULL,
  reference_sd_hash TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  counted TEXT NOT NULL,
  receipt TEXT,
  created_at BIGINT NOT NULL,
  kept_until BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, root_hash, checkout_hash)
);
CREATE UNIQUE INDEX mandate_uses_by_leaf ON mandate_uses (tenant_id, leaf_hash);
CREATE UNIQUE INDEX mandate_uses_by_intent ON mandate_uses (tenant_id, intent_id);
CREATE INDEX mandate_uses_by_end ON mandate_uses (kept_until);

-- What all uses of an open mandate come to, by the hash of its JWT.
CREATE TABLE mandate_limits (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  jwt_hash TEXT NOT NULL,
  uses BIGINT NOT NULL,
  spent_minor BIGINT NOT NULL,
  last_use_at BIGINT,
  kept_until BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, jwt_hash)
);
CREATE INDEX mandate_limits_by_end ON mandate_limits (kept_until);

-- Whether a chain of mandates stands behind a purchase.
ALTER TABLE intents ADD COLUMN by_mandate BIGINT;
ALTER TABLE payments ADD COLUMN by_mandate BIGINT;
