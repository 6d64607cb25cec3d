-- Status lists (W3C Bitstring Status List 1.0): which mandates that were handed out as documents or tokens no longer hold. A list is
-- the node's, for mandates of all tenants, so that a place in it tells nothing about whose mandate it is.
CREATE TABLE status_lists (
  list BIGINT PRIMARY KEY,
  issuer TEXT NOT NULL,
  entries BIGINT NOT NULL,
  valid_until BIGINT NOT NULL
);
CREATE INDEX status_lists_by_issuer ON status_lists (issuer, list);

CREATE TABLE credential_status (
  list BIGINT NOT NULL,
  idx BIGINT NOT NULL,
  tenant_id TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  credential_set_at BIGINT,
  PRIMARY KEY (list, idx)
);
CREATE INDEX credential_status_by_credential ON credential_status (tenant_id, credential_id);
CREATE INDEX credential_status_unset ON credential_status (tenant_id, agent_did, credential_id) WHERE credential_set_at IS NULL;
CREATE INDEX credential_status_set ON credential_status (list, idx) WHERE credential_set_at IS NOT NULL;
CREATE INDEX credential_status_by_age ON credential_status (expires_at);

-- The seed of a former issuer's key, sealed, for the lists that it signed: until the last mandate in them ends.
CREATE TABLE status_signers (
  issuer TEXT PRIMARY KEY,
  seed TEXT NOT NULL,
  ends_at BIGINT NOT NULL
);

-- In which forms the answer to a payment hands out its mandate, as JSON; null where it was not asked for any.
ALTER TABLE payments ADD COLUMN credential_formats TEXT;
