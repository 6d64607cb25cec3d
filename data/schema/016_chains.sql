-- The keys by which agents close mandates: a key is one agent's.
CREATE TABLE mandate_keys (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  thumbprint TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  jwk TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, thumbprint)
);
CREATE INDEX mandate_keys_by_agent ON mandate_keys (tenant_id, agent_did);

-- What a chain is judged by once more when it is paid.
ALTER TABLE mandate_uses ADD COLUMN terms TEXT;

-- What ends an approval.
ALTER TABLE approval_requests ADD COLUMN ends_with TEXT;
