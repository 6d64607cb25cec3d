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
