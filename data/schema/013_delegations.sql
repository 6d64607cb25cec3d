-- Open payment mandates that are registered for an agent.
CREATE TABLE mandate_delegations (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  agent_did TEXT NOT NULL,
  principal_did TEXT NOT NULL,
  mandate_issuer_id TEXT NOT NULL,
  root_key TEXT NOT NULL,
  token TEXT NOT NULL,
  mandates TEXT NOT NULL,
  jwt_hash TEXT NOT NULL,
  root_hash TEXT NOT NULL,
  open_hash TEXT NOT NULL,
  verified_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  kept_until BIGINT NOT NULL
);
CREATE UNIQUE INDEX mandate_delegations_by_mandate ON mandate_delegations (tenant_id, jwt_hash);
CREATE INDEX mandate_delegations_by_root ON mandate_delegations (tenant_id, root_hash);
CREATE INDEX mandate_delegations_by_tenant ON mandate_delegations (tenant_id, id);
CREATE INDEX mandate_delegations_by_agent ON mandate_delegations (tenant_id, agent_did, id);
CREATE INDEX mandate_delegations_by_end ON mandate_delegations (kept_until);

-- Since when an open mandate is revoked, in whichever chain it comes.
ALTER TABLE mandate_limits ADD COLUMN revoked_at BIGINT;

-- The delegation that an intent names.
ALTER TABLE intents ADD COLUMN delegation_id TEXT;
CREATE INDEX intents_by_delegation ON intents (tenant_id, delegation_id, mandate_id)
  WHERE delegation_id IS NOT NULL AND status = 'ACTIVE';
